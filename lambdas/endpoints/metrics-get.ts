import { metricsGet } from '../../contract/endpoints/metrics-get.ts';
import { operatorEndpoint } from '../http/operator-endpoint.ts';
import { connectMetrics } from '../store/views/metrics.ts';

const metrics = connectMetrics();

export const handler = operatorEndpoint(metricsGet, ({ at }) => metrics(at));
