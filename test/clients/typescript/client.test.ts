import { inspect } from 'node:util';
import { ageOf, Cache } from '../../../clients/typescript/src/cache/cache.ts';
import { pauseMs } from '../../../clients/typescript/src/http/backoff.ts';
import { Cuevault, type Fetch, getPrompt, getSecrets } from '../../../clients/typescript/src/index.ts';
import { API_KEY } from './fake-service.ts';

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

test('pauses are random below a bound that doubles up to two seconds', () => {
  expect([1, 2, 3, 4, 5, 50].map((attempt) => pauseMs(attempt, 0, () => 1))).toEqual([
    200, 400, 800, 1600, 2000, 2000,
  ]);
  expect(pauseMs(3, 0, () => 0)).toBe(0);
  expect(pauseMs(3, 1.5, () => 0)).toBe(1500);
});

test('a copy expires if the clock is set back', () => {
  expect(ageOf({ value: 1, at: 1000, refreshAt: 0, call: 1 }, 1500)).toBe(500);
  expect(ageOf({ value: 1, at: 1000, refreshAt: 0, call: 1 }, 999)).toBeGreaterThan(1e12);
});

test('the cache is bounded', () => {
  const cache = new Cache<number>(3);
  for (let i = 0; i < 10; i++) cache.set(String(i), i, cache.begin());
  expect([...Array(10).keys()].filter((i) => cache.get(String(i)) !== undefined)).toEqual([7, 8, 9]);
});

test('a late reply to an earlier call does not replace a newer copy', async () => {
  let answerFirst: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    answerFirst = resolve;
  });
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
  const client = clientFor((...args) => {
    calls++;
    return answering(GREETING)(...args);
  });
  const questions = [
    ['a', {}],
    ['a', { version: 'undefined' }],
    ['a', { version: '' }],
    ['a', { version: '11:b' }],
    ['a', { version: '1', label: 'b' }],
    ['a =1', {}],
    [{ promptId: 'a' }, {}],
    ['1:a', {}],
  ] as const;
  for (const [which, options] of questions) await client.prompts.get(which, options);
  expect(calls).toBe(questions.length);
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

test('a secret named __proto__ or constructor is an ordinary property', async () => {
  const text = '{"err":null,"res":{"__proto__":"p","constructor":"c"}}';
  const client = clientFor(async () => new Response(text));
  expect(Object.entries(await client.secrets.all())).toEqual([
    ['__proto__', 'p'],
    ['constructor', 'c'],
  ]);
  expect(await client.secrets.get('__proto__')).toBe('p');
});

test('a well-formed reply without the result is an invalid reply', async () => {
  for (const res of [{}, { prompt: 1, version: '1.0.0' }]) {
    expect(await failureOf(clientFor(answering(res)).prompts.get('x'))).toMatchObject({
      code: 'invalid_reply',
    });
  }
  expect(await failureOf(clientFor(answering({ A: 1 })).secrets.all())).toMatchObject({
    code: 'invalid_reply',
  });
  expect(await failureOf(clientFor(answering({ A: 'v' })).secrets.get('B'))).toMatchObject({
    code: 'invalid_reply',
  });
});

test('background refreshes are passed to waitUntil and never reject', async () => {
  const handed: Promise<unknown>[] = [];
  let up = true;
  const fetch: Fetch = (...args) =>
    up ? answering(GREETING)(...args) : Promise.reject(new TypeError('down'));
  const options = {
    cache: { latestMs: 0 },
    retries: 0,
    waitUntil: (refresh: Promise<unknown>) => handed.push(refresh),
  };
  const client = clientFor(fetch, options);
  await client.prompts.get('greeting');
  up = false;
  expect((await client.prompts.get('greeting')).source).toBe('stale');
  expect(handed).toHaveLength(1);
  await expect(Promise.all(handed)).resolves.toBeDefined();
});

test('missing arguments are rejected before anything is sent', async () => {
  let calls = 0;
  const client = clientFor((...args) => {
    calls++;
    return answering({})(...args);
  });
  const refusal = { name: 'InvalidRequestError', code: 'invalid_request' };
  for (const nothing of [undefined, null, '', 7] as never[]) {
    expect(await failureOf(client.secrets.get(nothing))).toMatchObject(refusal);
    expect(await failureOf(client.prompts.get(nothing))).toMatchObject(refusal);
    expect(await failureOf(client.prompts.get({ promptId: nothing }))).toMatchObject(refusal);
  }
  expect(calls).toBe(0);
});

test('the helpers return an envelope even for invalid arguments', async () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  expect(await getPrompt({ apiKey: API_KEY, name: 'x', variables: circle })).toEqual({
    err: expect.any(String),
    res: null,
  });
  expect(await getSecrets(null as never)).toEqual({ err: expect.any(String), res: null });
  expect(await getPrompt(null as never)).toEqual({ err: expect.any(String), res: null });
  expect(await getSecrets({ apiKey: '' })).toEqual({ err: expect.stringContaining('apiKey'), res: null });
});

test('neither the client nor its errors show the API key or a secret when inspected', async () => {
  const down: Fetch = () => Promise.reject(new TypeError('fetch failed'));
  const broken: Fetch = async () => new Response('{"err":null,"res":{"A":"swordfish');
  const shown = [];
  for (const fetch of [down, broken, answering({ A: 'swordfish' })]) {
    const client = clientFor(fetch, { retries: 0, cache: { secretsMs: 60_000 } });
    shown.push(client, await failureOf(client.secrets.get('B')), await failureOf(client.secrets.all()));
    shown.push(client, JSON.stringify(client));
  }
  expect(inspect(shown, { depth: 20, showHidden: true })).not.toMatch(/swordfish|0123456789/);
});
