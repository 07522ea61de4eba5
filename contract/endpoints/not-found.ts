import { endpoint } from '../endpoint.ts';

export const notFound = endpoint({
  id: 'not-found',
  access: { kind: 'public' },
  errors: ['route_not_found', 'method_not_allowed'],
  memoryMb: 256,
  timeoutSeconds: 5,
  grants: [],
  summary: 'Answer requests that match no route',
});
