import * as z from 'zod/mini';
import { ADMIN } from './admin.ts';
import { endpoint } from './endpoint.ts';

// Only the local runner answers these: on AWS, EventBridge delivers events.

const PATH = '/api/local/webhook';

const common = { access: ADMIN, grants: [] } as const;

export const webhookGet = endpoint({
  ...common,
  id: 'webhook-get',
  route: { method: 'GET', path: PATH },
  summary: 'List the last deliveries',
});

export const webhookSendAgain = endpoint({
  ...common,
  id: 'webhook-send-again',
  route: { method: 'POST', path: `${PATH}/{deliveryId}` },
  params: z.object({ deliveryId: z.string() }),
  summary: 'Send an event again',
});
