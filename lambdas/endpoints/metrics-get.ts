import { metricsGet } from '../../contract/endpoints/service.ts';
import { readEndpoint } from '../http/read-endpoint.ts';
import { connectMetrics } from '../store/views/metrics.ts';

const metrics = connectMetrics();

export const handler = readEndpoint(metricsGet, ({ at }) => metrics(at));
