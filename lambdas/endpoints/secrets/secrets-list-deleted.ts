import { secretsListDeleted } from '../../../contract/endpoints/secrets.ts';
import { pageOfList } from '../../core/lists/lists.ts';
import { restorableUntil } from '../../core/restoring.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { type DeletedSummary, listDeletedSecrets } from '../../store/secrets/secret-lists.ts';

const LAST_FIRST = {
  sortedBy: ({ deletedAt }: DeletedSummary) => deletedAt,
  idOf: ({ secretId }: DeletedSummary) => secretId,
  descending: true,
};

export const handler = readEndpoint(secretsListDeleted, async ({ vault, query, at }) => {
  const deleted = await listDeletedSecrets(vault, at);
  const found = deleted.filter(({ secretId }) => secretId === (query.secretId ?? secretId));
  const { entries, total: _total, ...rest } = pageOfList(found, LAST_FIRST, query);
  return {
    ...rest,
    secrets: entries.map((secret) => ({ ...secret, restorableUntil: restorableUntil(secret.deletedAt) })),
  };
});
