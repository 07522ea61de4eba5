import { secretsListDeleted } from '../../../contract/endpoints/secrets/secrets-list-deleted.ts';
import { pageOfList } from '../../core/lists/lists.ts';
import { restorableUntil } from '../../core/restoring.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { type DeletedSummary, listDeletedSecrets } from '../../store/secrets/secret-lists.ts';
import { connectTable } from '../../store/table.ts';

const table = connectTable();

const LAST_FIRST = {
  keyOf: ({ deletedAt }: DeletedSummary) => deletedAt,
  idOf: ({ secretId }: DeletedSummary) => secretId,
  descending: true,
};

/** Returns one page of the deleted secrets that can be restored, or only the one with an id. */
export const handler = operatorEndpoint(secretsListDeleted, async ({ query, at }) => {
  const deleted = await listDeletedSecrets(table, at);
  const found = deleted.filter(({ secretId }) => secretId === (query.secretId ?? secretId));
  const { entries, total: _total, ...rest } = pageOfList(found, LAST_FIRST, query);
  return {
    ...rest,
    secrets: entries.map((secret) => ({ ...secret, restorableUntil: restorableUntil(secret.deletedAt) })),
  };
});
