// How calls are shared and cancelled, and how secrets are hidden.
import { inspect } from 'node:util';
import { SingleFlight } from '../../../clients/typescript/src/cache/single-flight.ts';
import { Cuevault, type CuevaultEvent, type Fetch } from '../../../clients/typescript/src/index.ts';
import { API_KEY } from './fake-service.ts';

const GREETING = { promptId: 'prm_1', name: 'greeting', version: '1.0.0', prompt: 'Hello {{user}}!' };

/** A service that replies on demand, and records which requests were aborted. */
const heldService = () => {
  const aborted: boolean[] = [];
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const fetch: Fetch = async (_, { signal }) => {
    const index = aborted.push(false) - 1;
    signal.addEventListener('abort', () => {
      aborted[index] = true;
    });
    await released;
    return Response.json({ err: null, res: GREETING });
  };
  const client = new Cuevault({ apiKey: API_KEY, fetch });
  return { client, aborted, release };
};

test('a cancelled call rejects with the reason, and its request is aborted', async () => {
  const { client, aborted } = heldService();
  const controller = new AbortController();
  const call = client.prompts.get('greeting', { signal: controller.signal, fallback: 'never' });
  controller.abort(new Error('changed my mind'));
  await expect(call).rejects.toThrow('changed my mind');
  expect(aborted).toEqual([true]);
  await expect(client.secrets.all({ signal: controller.signal })).rejects.toThrow('changed my mind');
  expect(aborted).toHaveLength(1);
});

test('a shared request is aborted only when no caller waits for it', async () => {
  const { client, aborted, release } = heldService();
  const controller = new AbortController();
  const leaving = client.prompts.get('greeting', { signal: controller.signal });
  const staying = client.prompts.get('greeting');
  controller.abort(new Error('gone'));
  await expect(leaving).rejects.toThrow('gone');
  expect(aborted).toEqual([false]);
  release();
  expect(await staying).toMatchObject({ source: 'service' });
  expect(aborted).toHaveLength(1);
});

test('a call does not join an aborted request', async () => {
  const { client, aborted, release } = heldService();
  const controller = new AbortController();
  const leaving = client.prompts.get('greeting', { signal: controller.signal });
  controller.abort(new Error('gone'));
  await expect(leaving).rejects.toThrow('gone');
  release();
  expect(await client.prompts.get('greeting')).toMatchObject({ source: 'service' });
  expect(aborted).toEqual([true, false]);
});

test('no caller joins a call that is older than its maximum age', async () => {
  const flights = new SingleFlight<number>(0);
  let calls = 0;
  const start = () => (calls++ === 0 ? new Promise<number>(() => undefined) : Promise.resolve(7));
  void flights.share('key', start);
  expect(await flights.share('key', start)).toBe(7);
});

test('a failing event listener does not fail the call', async () => {
  const events: CuevaultEvent[] = [];
  const client = new Cuevault({
    apiKey: API_KEY,
    fetch: async () =>
      Response.json({ err: null, res: GREETING }, { headers: { 'cuevault-request-id': 'r1' } }),
    onEvent: (event) => {
      events.push(event);
      throw new Error('a fault of the listener');
    },
  });
  expect(await client.prompts.get('greeting')).toMatchObject({ source: 'service' });
  expect(events).toEqual([
    {
      type: 'request',
      operation: 'prompt',
      name: 'greeting',
      attempt: 1,
      durationMs: expect.any(Number),
      status: 200,
      requestId: 'r1',
    },
  ]);
});

test('secrets show their names, not their values, when printed or made JSON', async () => {
  const secrets = { TOKEN: 'swordfish', ['__proto__']: 'herring' };
  const fetch: Fetch = async () => Response.json({ err: null, res: secrets });
  const client = new Cuevault({ apiKey: API_KEY, fetch });
  const all = await client.secrets.all();
  const dir = inspect({ all }, { customInspect: false, depth: null, showHidden: true });
  const shown = [dir, inspect(all), inspect({ deep: [all] }), JSON.stringify(all), String(all)].join();
  expect(shown).not.toMatch(/swordfish|herring/);
  expect(shown).toContain('TOKEN');
  expect(Object.entries(all)).toEqual(Object.entries(secrets));
  expect(JSON.stringify({ ...all })).toContain('swordfish');
  all.TOKEN = 'mine';
  expect([all.TOKEN, (await client.secrets.all()).TOKEN]).toEqual(['mine', 'swordfish']);
});
