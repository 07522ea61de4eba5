import { revisionsList } from '../../../contract/endpoints/vault.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { vaultIn } from '../../store/vault/vault.ts';
import { listRevisionRows } from '../../store/views/revision-rows.ts';

export const handler = readEndpoint(revisionsList, async ({ table, query, at }) => {
  const { entries, ...rest } = await listRevisionRows(vaultIn(table, query.environment), at, query);
  return { ...rest, revisions: entries };
});
