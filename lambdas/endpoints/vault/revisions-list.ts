import { revisionsList } from '../../../contract/endpoints/vault/revisions-list.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { connectTable } from '../../store/table.ts';
import { listRevisionRows } from '../../store/views/revision-rows.ts';

const table = connectTable();

/** Returns one page of the revisions of the vault. */
export const handler = operatorEndpoint(revisionsList, async ({ query, at }) => {
  const { entries, ...rest } = await listRevisionRows(table, at, query);
  return { ...rest, revisions: entries };
});
