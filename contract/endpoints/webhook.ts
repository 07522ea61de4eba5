import { endpoint } from '../endpoint.ts';
import { admin } from './for-operators.ts';

// Only the local runner answers these: on AWS, EventBridge delivers events.

const PATH = '/api/local/webhook';

export const webhookGet = endpoint({
  id: 'webhook-get',
  ...admin('GET', PATH),
  grants: [],
  summary: 'List the last deliveries',
});

export const webhookSendAgain = endpoint({
  id: 'webhook-send-again',
  ...admin('POST', `${PATH}/{deliveryId}`),
  grants: [],
  summary: 'Send an event again',
});
