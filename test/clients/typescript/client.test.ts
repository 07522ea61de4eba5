import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { SingleFlight } from '../../../clients/typescript/src/cache/loader.ts';
import { backoffMs } from '../../../clients/typescript/src/http/timer.ts';
import {
  Cuevault,
  type CuevaultEvent,
  type Fetch,
  getPrompt,
  getSecrets,
  originOf,
} from '../../../clients/typescript/src/index.ts';
import { offlineCopy } from '../../../clients/typescript/src/offline.ts';
import { newFolder } from '../../support/new-folder.ts';
import { serve } from '../../support/server.ts';
import { vectorsIn } from '../../support/vectors.ts';
import { environmentFor, runProgram } from './cli/processes.ts';
import { API_KEY, startFakeService } from './fake-service.ts';

const GREETING = {
  promptId: 'prm_1',
  name: 'greeting',
  version: '1.0.0',
  tags: ['a'],
  metaProperties: { deep: { list: [1] } },
  prompt: 'Hello {{user}}!',
};

const answering =
  (res: unknown): Fetch =>
  async () =>
    Response.json({ err: null, res });

const clientFor = (fetch: Fetch, options = {}) => new Cuevault({ apiKey: API_KEY, fetch, ...options });

const failureOf = async (call: Promise<unknown>): Promise<Error> =>
  call.then(
    () => new Error('nothing failed'),
    (error: unknown) => error as Error,
  );

const refusal = (message: string | RegExp) =>
  expect.objectContaining({ code: 'configuration', message: expect.stringMatching(message) });

test('an error carries a frame of the code that called, also for callers that share a call', async () => {
  const client = clientFor(async () => Response.json({ err: 'No.', res: null }, { status: 403 }));
  const readsPrompt = async () => await client.prompts.get('greeting');
  const readsItToo = async () => await client.prompts.get('greeting');
  const readsSecret = async () => await client.secrets.get('A');
  const readsAll = async () => await client.secrets.all();
  const callers = [readsPrompt, readsItToo, readsSecret, readsAll];
  const errors = await Promise.all(callers.map((caller) => failureOf(caller())));
  expect(errors.map(({ stack }) => /at (?:async )?(reads\w+)/.exec(stack ?? '')?.[1])).toEqual(
    callers.map(({ name }) => name),
  );
});

test('pauses are random below a bound that doubles up to two seconds', () => {
  expect([1, 2, 3, 4, 5, 50].map((attempt) => backoffMs(attempt, 0, () => 1))).toEqual([
    200, 400, 800, 1600, 2000, 2000,
  ]);
  expect(backoffMs(3, 0, () => 0)).toBe(0);
  expect(backoffMs(3, 1.5, () => 0)).toBe(1500);
});

test('a late reply to an earlier call does not replace a newer copy', async () => {
  const { promise: held, resolve: answerFirst } = Promise.withResolvers<void>();
  let calls = 0;
  const client = clientFor(async (...args) => {
    const version = `1.0.${++calls}`;
    if (calls === 1) await held;
    return answering({ ...GREETING, version })(...args);
  });
  const earlier = client.prompts.get('greeting');
  expect(await client.prompts.get('greeting', { fresh: true })).toMatchObject({ version: '1.0.2' });
  answerFirst();
  expect(await earlier).toMatchObject({ version: '1.0.1' });
  expect(await client.prompts.get('greeting')).toMatchObject({ version: '1.0.2', source: 'cache' });
});

test('a transport that never answers and ignores its signal still ends in a timeout', async () => {
  const client = clientFor(() => new Promise(() => undefined), { timeoutMs: 20 });
  expect(await failureOf(client.secrets.all())).toMatchObject({
    name: 'CuevaultTimeoutError',
    code: 'timeout',
  });
});

test('similar requests do not share a copy', async () => {
  let calls = 0;
  const client = clientFor(async (_, request) => {
    calls++;
    const asked = JSON.parse(String(request?.body));
    return Response.json({ err: null, res: { ...GREETING, ...asked, version: '1.0.0' } });
  });
  const questions = [
    ['a', {}],
    ['a', { version: '1.0.0' }],
    ['a', { label: 'undefined' }],
    ['a', { label: '' }],
    ['a', { label: '11:b' }],
    ['a', { version: '1.0.0', label: 'b' }],
    ['a =1', {}],
    [{ promptId: 'a' }, {}],
    ['1:a', {}],
  ] as const;
  for (const [which, options] of questions) await client.prompts.get(which, options);
  expect(calls).toBe(questions.length);
});

test('a call has retries of its own, and a client with other options keeps the rest and no copies', async () => {
  let calls = 0;
  const down: Fetch = async () => {
    calls++;
    return new Response('', { status: 503 });
  };
  const client = clientFor(down, { maxRetries: 5, pauseMs: 0 });
  await failureOf(client.secrets.get('A', { maxRetries: 0 }));
  expect(calls).toBe(1);
  await failureOf(client.withOptions({ maxRetries: 0 }).prompts.get('greeting'));
  expect(calls).toBe(2);
  expect(() => client.withOptions({ retries: 1 } as never)).toThrow(refusal('There is no option "retries".'));
});

test('secrets say where they come from, and are applied to the environment except dangerous ones', async () => {
  const client = clientFor(answering({ APPLIED_SECRET: 'v', LD_PRELOAD: 'w' }), {
    cache: { secretsMs: 60_000 },
  });
  const sourceOf = async () => originOf(await client.secrets.all())?.source;
  expect([await sourceOf(), await sourceOf(), originOf({})]).toEqual(['service', 'cache', undefined]);
  expect(await client.secrets.apply()).toEqual(['LD_PRELOAD']);
  expect([process.env.APPLIED_SECRET, process.env.LD_PRELOAD]).toEqual(['v', undefined]);
  delete process.env.APPLIED_SECRET;
});

test('closing ends the calls that run, and later calls say so', async () => {
  const client = clientFor(() => new Promise(() => undefined));
  const running = failureOf(client.secrets.all());
  await new Promise(setImmediate);
  client.close();
  const closed = { code: 'configuration', message: 'The client is closed.' };
  expect(await running).toMatchObject(closed);
  expect(await failureOf(client.prompts.get('greeting'))).toMatchObject(closed);
});

test('a caller cannot change the copy that others get', async () => {
  const client = clientFor(answering(GREETING));
  const first = await client.prompts.get('greeting');
  expect(() => (first.tags as string[]).push('b')).toThrow(TypeError);
  expect(() => ((first.metaProperties.deep as { list: number[] }).list[0] = 2)).toThrow(TypeError);
  const secrets = clientFor(answering({ A: 'v' }), { cache: { secretsMs: 60_000 } });
  (await secrets.secrets.all()).A = 'spoiled';
  expect(await secrets.secrets.all()).toEqual({ A: 'v' });
});

test('background refreshes are passed to waitUntil and never reject', async () => {
  const handed: Promise<unknown>[] = [];
  let up = true;
  const fetch: Fetch = (...args) =>
    up ? answering(GREETING)(...args) : Promise.reject(new TypeError('down'));
  const options = {
    cache: { latestMs: 0 },
    maxRetries: 0,
    waitUntil: (refresh: Promise<unknown>) => handed.push(refresh),
  };
  const client = clientFor(fetch, options);
  await client.prompts.get('greeting');
  up = false;
  expect((await client.prompts.get('greeting')).source).toBe('stale');
  expect(handed).toHaveLength(1);
  await expect(Promise.all(handed)).resolves.toBeDefined();
});

test.each([
  ['that fetch sends', {}],
  ['that avoids a proxy', { HTTP_PROXY: 'http://192.0.2.1:1' }],
])('a refresh %s and that hangs does not keep the process alive', async (_which, proxy) => {
  let calls = 0;
  const { url: CUEVAULT_URL, stop } = await serve((_request, response) => {
    calls += 1;
    if (calls === 1) response.end(JSON.stringify({ err: null, res: GREETING }));
  });
  const program = `
    import { Cuevault } from '${process.cwd()}/clients/typescript/src/index.ts';
    const { prompts } = new Cuevault({ cache: { latestMs: 200 } });
    await prompts.get('greeting');
    await new Promise((resolve) => setTimeout(resolve, 300));
    console.log((await prompts.get('greeting')).source);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const end = Date.now();
    process.on('exit', () => console.log(Date.now() - end));`;
  const env = { ...process.env, CUEVAULT_URL, CUEVAULT_API_KEY: API_KEY, ...proxy };
  const [source, ms] = (await runProgram(program, { env })).out.split('\n');
  await stop();
  expect([source, calls]).toEqual(['stale', 2]);
  expect(Number(ms)).toBeLessThan(1_000);
});

test('the helpers return an envelope even for invalid arguments', async () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  expect(await getPrompt({ apiKey: API_KEY, name: 'x', variables: circle })).toEqual({
    err: expect.any(String),
    res: null,
  });
  expect(await getSecrets(null as never)).toEqual({ err: expect.any(String), res: null });
  expect(await getPrompt(null as never)).toEqual({ err: 'The options must be an object.', res: null });
  expect(await getSecrets({ apiKey: '' })).toEqual({ err: expect.stringContaining('apiKey'), res: null });
});

test('misspelled options, null and names that are no text are rejected, and nothing is sent', async () => {
  let calls = 0;
  const client = clientFor((...args) => {
    calls++;
    return answering(GREETING)(...args);
  });
  const call = (options: object) => options as never;
  const wrong = [
    [client.secrets.all(call({ tags: null })), 'The option "tags" must not be null: leave it out.'],
    [client.secrets.get('A', call({ TAGS: [] })), 'ttlMs, fresh, environment, tags.'],
    [client.secrets.all(null as never), 'must be an object'],
    [client.prompts.get(call({ promptId: 'a', version: '1.0.0' })), 'There is no option "version".'],
  ] as const;
  for (const [failing, message] of wrong) {
    const { code, message: said } = (await failureOf(failing)) as Error & { code: string };
    expect([code, said]).toEqual(['configuration', expect.stringContaining(message)]);
  }
  expect(() => new Cuevault({ offline: { directory: 'copies' } } as never)).toThrow(
    refusal('offline must be what offlineCopy returns.'),
  );
  for (const which of [undefined, null, '', 7, { promptId: '' }, { promptId: 7 }] as never[])
    expect(await failureOf(client.prompts.get(which))).toMatchObject({ code: 'invalid_request' });
  expect(calls).toBe(0);
});

test('no proxy gets calls to this machine', async () => {
  const proxy = await serve((_, response) => response.end('the proxy'));
  const service = await startFakeService({ TOKEN: 'swordfish' });
  const program = `import { Cuevault } from './clients/typescript/src/index.ts';
    console.log(await new Cuevault().secrets.get('TOKEN'));`;
  const proxies = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy.url, NO_PROXY: '', no_proxy: '' };
  const { out } = await runProgram(program, { env: { ...environmentFor(service), ...proxies } });
  expect(out).toBe('swordfish\n');
  await proxy.stop();
  await service.stop();
});

test('without an address, a failed connection says that none is set', async () => {
  const client = clientFor(() => Promise.reject(new TypeError('down')));
  expect((await failureOf(client.secrets.all())).message).toMatch(
    /localhost:3000 .* CUEVAULT_URL is not set; npm start starts one there\.$/,
  );
});

test.each([
  ['SELF_SIGNED_CERT_IN_CHAIN', {}, ' NODE_EXTRA_CA_CERTS names further authorities.'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', {}, ' NODE_EXTRA_CA_CERTS names further authorities.'],
  ['ECONNREFUSED', { https_proxy: 'http://proxy' }, ' Node.js uses a proxy only with NODE_USE_ENV_PROXY=1.'],
  ['ECONNREFUSED', { https_proxy: 'http://proxy', NODE_USE_ENV_PROXY: '1' }, ''],
  ['ECONNREFUSED', {}, ''],
])('a connection that fails with %s and %j says what to set', async (code, variables, hint) => {
  const before = process.env;
  const others = Object.entries(before).filter(([name]) => !/proxy$/i.test(name));
  process.env = { ...Object.fromEntries(others), ...variables };
  const cause = Object.assign(new Error('no'), { code });
  const client = clientFor(() => Promise.reject(new TypeError('fetch failed', { cause })), {
    url: 'https://v',
  });
  const { message } = await failureOf(client.secrets.all());
  process.env = before;
  expect(message).toBe(
    `Cuevault at https://v cannot be reached, or the connection was lost (${code}).${hint}`,
  );
});

test('neither the client nor its errors show the API key or a secret when inspected', async () => {
  const down: Fetch = () => Promise.reject(new TypeError('fetch failed'));
  const broken: Fetch = async () => new Response('{"err":null,"res":{"A":"swordfish');
  const shown = [];
  for (const fetch of [down, broken, answering({ A: 'swordfish' })]) {
    const client = clientFor(fetch, { maxRetries: 0, cache: { secretsMs: 60_000 } });
    shown.push(client, await failureOf(client.secrets.get('B')), await failureOf(client.secrets.all()));
    shown.push(client, JSON.stringify(client));
  }
  expect(inspect(shown, { depth: 20, showHidden: true })).not.toMatch(/swordfish|0123456789/);
});

test('omitted options have their defaults, and zero is accepted where it has a meaning', () => {
  const cache = { latestMs: 0, secretsMs: 0, maxEntries: undefined };
  expect(() => new Cuevault({ apiKey: API_KEY, maxRetries: 0, timeoutMs: undefined, cache })).not.toThrow();
});

const vector = vectorsIn('offline');

test('a copy written by another client is read, with the same file name', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, vector.fileName), JSON.stringify(vector.file));
  const { url, apiKey, key, tags } = vector;
  const copy = offlineCopy({ directory: folder, maxAgeMs: Number.MAX_SAFE_INTEGER });
  expect((await copy.load({ url, apiKey, key: key ?? undefined, tags }))?.secrets).toEqual(vector.secrets);
});

test('copies in a folder of another user are refused, with what to do', () => {
  const folder = newFolder();
  const { uid } = statSync(folder);
  const original = Object.getOwnPropertyDescriptor(process, 'getuid') ?? {};
  Object.defineProperty(process, 'getuid', { ...original, value: () => uid + 1 });
  expect(() => offlineCopy({ directory: folder })).toThrow(
    /must belong to the user .* Use a folder of its own/,
  );
  Object.defineProperty(process, 'getuid', original);
  expect(() => offlineCopy({ directory: folder })).not.toThrow();
});

/** A service that replies on demand, and records which requests were aborted. */
const heldService = () => {
  const aborted: boolean[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const fetch: Fetch = async (_, { signal }) => {
    const index = aborted.push(false) - 1;
    signal.addEventListener('abort', () => {
      aborted[index] = true;
    });
    await released;
    return Response.json({ err: null, res: GREETING });
  };
  return { client: clientFor(fetch), aborted, release };
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
  const reply = () =>
    Response.json({ err: null, res: GREETING }, { headers: { 'cuevault-request-id': 'r1' } });
  const onEvent = (event: CuevaultEvent) => {
    events.push(event);
    throw new Error('a fault of the listener');
  };
  const client = clientFor(async () => reply(), { onEvent });
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

test('secrets show their names, not their values, when printed; only those of an envelope are JSON', async () => {
  const secrets = { TOKEN: 'swordfish', ['__proto__']: 'herring' };
  const client = clientFor(answering(secrets));
  const all = await client.secrets.all();
  const dir = inspect({ all }, { customInspect: false, depth: null, showHidden: true });
  const shown = [dir, inspect(all), inspect({ deep: [all] }), String(all)].join();
  expect(shown).not.toMatch(/swordfish|herring/);
  expect(shown).toContain('TOKEN');
  expect(Object.entries(all)).toEqual(Object.entries(secrets));
  expect(() => JSON.stringify({ all })).toThrow('pass { ...secrets } where their values are meant');
  expect(JSON.stringify({ ...all })).toBe(JSON.stringify(secrets));
  const envelope = await getSecrets({ url: 'http://localhost', apiKey: 'k', fetch: answering(secrets) });
  expect(inspect(envelope)).toBe("{ err: null, res: { TOKEN: '[hidden]', ['__proto__']: '[hidden]' } }");
  expect(JSON.stringify(envelope)).toBe(JSON.stringify({ err: null, res: secrets }));
  expect(envelope.res).toEqual(secrets);
  all.TOKEN = 'mine';
  expect([all.TOKEN, (await client.secrets.all()).TOKEN]).toEqual(['mine', 'swordfish']);
});
