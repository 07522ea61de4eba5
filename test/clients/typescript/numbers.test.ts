import { Cuevault, CuevaultError, getSecrets } from '../../../clients/typescript/src/index.ts';
import { offlineCopy } from '../../../clients/typescript/src/offline.ts';
import { API_KEY } from './fake-service.ts';

const NO_NUMBERS = [Number.NaN, Number.POSITIVE_INFINITY, -1, null, '5', 5n] as never[];

const OPTIONS = [
  ['timeoutMs', (value: never) => ({ timeoutMs: value }), [0]],
  ['totalTimeoutMs', (value: never) => ({ totalTimeoutMs: value }), [0]],
  ['retries', (value: never) => ({ retries: value }), [0.5]],
  ['cache.latestMs', (value: never) => ({ cache: { latestMs: value } }), []],
  ['cache.secretsMs', (value: never) => ({ cache: { secretsMs: value } }), []],
  ['restMs', (value: never) => ({ restMs: value }), []],
  ['cache.maxStaleMs', (value: never) => ({ cache: { maxStaleMs: value } }), []],
  ['cache.maxEntries', (value: never) => ({ cache: { maxEntries: value } }), [0, 1.5]],
  ['maxAgeMs', (value: never) => ({ offline: offlineCopy({ directory: '.', maxAgeMs: value }) }), [0]],
] as const;

const failureOf = (attempt: () => unknown): unknown => {
  try {
    return attempt();
  } catch (error) {
    return error;
  }
};

test.each(OPTIONS)('an invalid %s is rejected before anything is sent', (name, optionsWith, more) => {
  for (const value of [...NO_NUMBERS, ...(more as readonly never[])]) {
    const failure = failureOf(() => new Cuevault({ apiKey: API_KEY, ...optionsWith(value) }));
    expect(failure).toBeInstanceOf(CuevaultError);
    expect(failure).toMatchObject({ code: 'configuration', message: expect.stringContaining(name) });
  }
});

test('omitted options have their defaults, and zero is accepted where it has a meaning', () => {
  const cache = { latestMs: 0, secretsMs: 0, maxEntries: undefined };
  expect(() => new Cuevault({ apiKey: API_KEY, retries: 0, timeoutMs: undefined, cache })).not.toThrow();
});

test('getSecrets reports it in the envelope', async () => {
  const { err } = await getSecrets({ apiKey: API_KEY, timeoutMs: 0 });
  expect(err).toContain('timeoutMs');
});
