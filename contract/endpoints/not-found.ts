import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';

export const notFound = endpoint({
  id: 'not-found',
  access: { kind: 'public' },
  reply: z.never(),
  errors: ['route_not_found'],
  memoryMb: 256,
  timeoutSeconds: 5,
  grants: [],
  summary: 'Answer what no other route takes',
  description: 'The default route: the usual envelope, with status 404.',
  examples: [],
});
