import { usageGet } from '../../../contract/endpoints/usage/usage-get.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { connectTable } from '../../store/table.ts';
import { usageSeries } from '../../store/views/usage-series.ts';

const table = connectTable();

/** Returns how often a prompt was fetched, day by day, and its changes in that time. */
export const handler = operatorEndpoint(usageGet, async ({ params: { promptId }, query: { days }, at }) =>
  usageSeries(table, promptId, days, at),
);
