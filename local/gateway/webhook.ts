import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from '../../contract/endpoint.ts';
import { webhookGet, webhookSendAgain } from '../../contract/webhook.ts';
import type { Webhook } from '../webhook/webhook.ts';
import { type Admission, administratorOf } from './administrator.ts';
import { answerItself } from './functions.ts';
import { createRouter, type Match } from './routes.ts';

/** Finds the route of a request among those of the webhook. */
export const webhookRoute = createRouter([webhookGet as Endpoint, webhookSendAgain as Endpoint]);

const GONE = 'This delivery is no longer available. The runner keeps the last 100 since it was started.';

const resultOf = (webhook: Webhook, { endpoint, pathParameters }: Match): object | undefined => {
  if (endpoint.id === webhookGet.id) return { receiver: webhook.receiver, deliveries: webhook.deliveries() };
  const delivery = webhook.sendAgain(pathParameters.deliveryId ?? '');
  return delivery && { delivery };
};

/** Answers an administrator about the deliveries to the webhook. */
export const answerWebhook = async (
  webhook: Webhook,
  admission: Admission,
  match: Match,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const judged = await administratorOf(admission, request);
  if ('refused' in judged) return answerItself(response, judged.refused);
  const res = resultOf(webhook, match);
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  response.writeHead(res === undefined ? 404 : 200, headers);
  response.end(JSON.stringify(res === undefined ? { err: GONE, res: null } : { err: null, res }));
};
