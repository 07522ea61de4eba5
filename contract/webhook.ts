import * as z from 'zod/mini';
import { ADMIN, FEW_ROWS } from './admin.ts';
import { endpoint } from './endpoint.ts';

// Only the local runner answers these: on AWS, EventBridge delivers events.

const PATH = '/api/local/webhook';

const delivery = z.object({
  deliveryId: z.string(),
  eventId: z.string(),
  type: z.string(),
  subject: z.string(),
  name: z.string(),
  /** Of the last attempt, or when the first one is due. */
  at: z.string(),
  state: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.number(),
  /** HTTP status of the last reply; null without a reply. */
  status: z.nullable(z.number()),
  /** Why the last attempt failed; null if it did not. */
  error: z.nullable(z.string()),
});

/** A delivery of an event to the webhook. */
export type Delivery = z.infer<typeof delivery>;

const common = { access: ADMIN, ...FEW_ROWS, grants: [], errors: [], examples: [] } as const;

export const webhookGet = endpoint({
  ...common,
  id: 'webhook-get',
  route: { method: 'GET', path: PATH },
  reply: z.object({
    /** Scheme, host and port of the receiver: the rest of its address can contain a token. */
    receiver: z.string(),
    /** Newest first. */
    deliveries: z.array(delivery),
  }),
  summary: 'List the last deliveries',
  description: 'The last deliveries to the webhook since the runner was started.',
});

export const webhookSendAgain = endpoint({
  ...common,
  id: 'webhook-send-again',
  route: { method: 'POST', path: `${PATH}/{deliveryId}` },
  params: z.object({ deliveryId: z.string() }),
  reply: z.object({ delivery }),
  summary: 'Send an event again',
  description: 'Delivers the event again, with the same id. A pending delivery stays as it is.',
});
