import { overviewGet } from '../../contract/endpoints/service.ts';
import { operatorEndpoint } from '../http/operator-endpoint.ts';
import { connectTable } from '../store/connect.ts';
import { withBatchedReads } from '../store/reading-ahead.ts';
import { VAULT_ROWS } from '../store/secrets/secret-lists.ts';
import { createOverview } from '../store/views/overview.ts';

const table = withBatchedReads(connectTable());
const overview = createOverview(table);

export const handler = operatorEndpoint(
  overviewGet,
  table,
  ({ query: { days }, at, table: own }) => overview(days, at, own),
  () => VAULT_ROWS,
);
