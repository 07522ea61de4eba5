import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';

export const notFound = endpoint({
  id: 'not-found',
  access: { kind: 'public' },
  reply: z.never(),
  errors: ['route_not_found', 'method_not_allowed'],
  memoryMb: 256,
  timeoutSeconds: 5,
  grants: [],
  summary: 'Answer requests that match no route',
  description: 'The default route: the envelope with status 404, or 405 if the path supports other methods.',
  examples: [],
});
