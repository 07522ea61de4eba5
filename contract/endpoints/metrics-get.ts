import { FEW_ROWS, VIEWER } from '../admin.ts';
import { endpoint } from '../endpoint.ts';

export const metricsGet = endpoint({
  id: 'metrics-get',
  route: { method: 'GET', path: '/api/admin/metrics' },
  access: VIEWER,
  errors: [],
  ...FEW_ROWS,
  grants: [{ on: 'metrics', actions: ['GetMetricData'] }],
  summary: 'Fetch metrics of refused calls and of the webhook',
});
