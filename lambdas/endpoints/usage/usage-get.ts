import { usageGet } from '../../../contract/endpoints/usage.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { usageSeries } from '../../store/views/usage-series.ts';

export const handler = readEndpoint(usageGet, async ({ table, params: { promptId }, query: { days }, at }) =>
  usageSeries(table, promptId, days, at),
);
