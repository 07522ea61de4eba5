import { overviewGet } from '../../contract/endpoints/service.ts';
import { operatorEndpoint } from '../http/operator-endpoint.ts';
import { connectTable } from '../store/connect.ts';
import { createOverview } from '../store/views/overview.ts';

const table = connectTable();
const overview = createOverview(table);

export const handler = operatorEndpoint(overviewGet, table, ({ query: { days }, at }) => overview(days, at));
