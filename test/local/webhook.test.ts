import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { freeLoopback } from '../../local/loopback.ts';
import { openWebhook, type Webhook } from '../../local/webhook/webhook.ts';
import { withServer } from '../support/server.ts';

const TOKEN = 'webhook-token';
/** For receivers that fail: short pauses, and no attempt that gets an answer times out. */
const SOON = { timeoutMs: 600_000, pausesMs: [1, 1] };

let answer: RequestListener;
const bodies: string[] = [];
const served = withServer(async (request, response) => {
  bodies.push(await text(request));
  answer(request, response);
});
const ok: RequestListener = (_, response) => response.writeHead(204).end();
const status =
  (code: number): RequestListener =>
  (_, response) =>
    response.writeHead(code, { location: '/elsewhere' }).end('a body');

const logs: string[] = [];
const opened: Webhook[] = [];
const open = (timing = SOON, url = `${served.url}/changes?token=${TOKEN}`): Webhook => {
  const webhook = openWebhook(url, (line) => logs.push(line), timing);
  opened.push(webhook);
  return webhook;
};
beforeEach(() => {
  answer = ok;
  bodies.length = 0;
  logs.length = 0;
});
afterEach(() => Promise.all(opened.splice(0).map(({ stop }) => stop())));

const event = (name: string) =>
  JSON.stringify({ id: `event-${name}`, type: 'label.set', subject: 'prm_1', name, details: {} });

/** Delivers an event, as far as the receiver lets it. */
const deliver = async (webhook: Webhook) => {
  webhook.deliver(event('greeting'));
  await webhook.settled();
};

test('a delivery shows what was sent, a pending one is not started twice, and the event can be sent again as it was', async () => {
  const webhook = open();
  webhook.deliver(event('greeting'));
  expect(webhook.deliveries()).toMatchObject([{ state: 'pending', attempts: 0 }]);
  const { deliveryId = '' } = webhook.deliveries()[0] ?? {};
  expect(webhook.sendAgain(deliveryId)).toMatchObject({ state: 'pending' });
  await webhook.settled();
  const [delivery] = webhook.deliveries();
  expect(delivery).toMatchObject({
    eventId: 'event-greeting',
    type: 'label.set',
    subject: 'prm_1',
    name: 'greeting',
    state: 'delivered',
    attempts: 1,
    status: 204,
    error: null,
  });
  expect(webhook.sendAgain(deliveryId)).toMatchObject({ state: 'pending' });
  await webhook.settled();
  expect(webhook.deliveries()).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  expect(bodies).toEqual([event('greeting'), event('greeting')]);
});

test('an event that no attempt delivers is logged without the address, and can be sent again later', async () => {
  answer = status(500);
  const webhook = open();
  await deliver(webhook);
  const [delivery] = webhook.deliveries();
  expect(delivery).toMatchObject({ state: 'failed', attempts: 3, error: 'The receiver answered with 500.' });
  expect(logs).toEqual([
    'The event label.set (event-greeting) was not delivered to the webhook. The receiver answered with 500.\n',
  ]);
  for (const [receiver, outcome] of [
    [status(503), { state: 'failed', attempts: 6, status: 503 }],
    [ok, { state: 'delivered', attempts: 7, error: null }],
  ] as const) {
    answer = receiver;
    webhook.sendAgain(delivery?.deliveryId ?? '');
    await webhook.settled();
    expect(webhook.deliveries()).toMatchObject([outcome]);
  }
});

test('a redirect is an error and is not followed', async () => {
  answer = status(302);
  const webhook = open({ ...SOON, pausesMs: [] });
  await deliver(webhook);
  expect(webhook.deliveries()).toMatchObject([{ state: 'failed', status: 302 }]);
  expect(bodies).toHaveLength(1);
});

test('an attempt that is not answered ends', async () => {
  answer = () => {};
  const webhook = open({ timeoutMs: 50, pausesMs: [] });
  await deliver(webhook);
  expect(webhook.deliveries()).toMatchObject([
    { state: 'failed', status: null, error: 'The receiver did not answer within 0.05 seconds.' },
  ]);
});

test('an event that waits for its answer delays no other, and stopping ends it at once', async () => {
  answer = (request, response) => {
    if (bodies.at(-1) !== event('slow')) ok(request, response);
  };
  const webhook = open();
  webhook.deliver(event('slow'));
  await once(served.server, 'request');
  webhook.deliver(event('next'));
  await once(served.server, 'request');
  await webhook.stop();
  expect(webhook.deliveries().map(({ name }) => name)).toEqual(['next', 'slow']);
});

test('an unreachable receiver is named only by its host', async () => {
  const { host, port } = await freeLoopback();
  const webhook = open(SOON, `http://${host}:${port}/${TOKEN}?${TOKEN}`);
  await deliver(webhook);
  expect(webhook.receiver).toBe(`http://${host}:${port}`);
  expect(webhook.deliveries()).toMatchObject([{ state: 'failed', error: 'The connection was refused.' }]);
  expect(JSON.stringify([webhook.deliveries(), logs])).not.toContain(TOKEN);
});

test('the last 100 deliveries are kept, newest first', async () => {
  const webhook = open();
  for (let n = 0; n <= 100; n++) webhook.deliver(event(String(n)));
  const first = webhook.deliveries().at(-1);
  webhook.deliver(event('last'));
  expect(webhook.deliveries()).toHaveLength(100);
  expect(webhook.deliveries()[0]).toMatchObject({ name: 'last' });
  expect(webhook.sendAgain(first?.deliveryId ?? '')).toBeUndefined();
  await webhook.settled();
  expect(bodies).toHaveLength(102);
});
