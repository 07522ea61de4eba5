import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { REFUSALS, type RefusalReason } from '../../contract/http/errors.ts';
import { generateApiKey } from '../../lambdas/core/api-keys/new-key.ts';
import { connectMetrics } from '../../lambdas/store/views/metrics.ts';
import { REGION } from '../../local/aws/account.ts';
import { createCloudWatch } from '../../local/aws/cloudwatch.ts';
import { ask, column, refusedCalls } from '../support/admin.ts';
import { openTestEndpoint, type TestEndpoint } from '../support/aws/aws-endpoint.ts';
import { LOOPBACK } from '../support/calls.ts';
import { withWrongSecret } from '../support/rows/api-keys.ts';
import { auditOf } from '../support/rows/audit.ts';
import { storeSecret } from '../support/rows/secrets.ts';
import { instance, withOwnInstance } from '../support/shared/instance.ts';
import { newTrust, tokenOfWorker } from '../support/trusts.ts';

const HIDDEN = 'HIDDEN_SECRET';
const read = (apiKey: string, body: object = { key: HIDDEN }, headers: Record<string, string> = {}) =>
  instance.post('/api/vault/get-secrets', body, apiKey, headers);

// One call from code in ten seconds.
withOwnInstance({ publishRate: 0.1 });
beforeAll(async () => {
  await storeSecret({ key: HIDDEN, tags: ['private'] });
});

interface Caller {
  readonly keyId: string;
  readonly apiKey: string;
}

const KNOWN: Readonly<Partial<Record<RefusalReason, () => Promise<Caller>>>> = {
  wrong_secret: async () => {
    const { keyId } = await instance.newKey();
    return { keyId, apiKey: withWrongSecret(keyId) };
  },
  expired: () => instance.newKey({ at: new Date(0), expiresAt: '1970-01-01T01:00:00.000Z' }),
  revoked: async () => {
    const key = await instance.newKey();
    await ask('keys-revoke', { keyId: key.keyId });
    return key;
  },
  permission: () => instance.newKey({ permissions: ['prompts'] }),
  address: () => instance.newKey({ cidrs: ['203.0.113.0/24'] }),
  tags: () => instance.newKey({ tags: ['public'] }),
};

const lines = () => instance.logs.flatMap((line) => line.split('\n').filter((text) => text !== ''));

/** What is logged about calls that are refused meanwhile. */
const refusedIn = async (calls: () => Promise<unknown>): Promise<Record<string, unknown>[]> => {
  const refusals = () => lines().filter((line) => line.includes('"call refused"'));
  const before = refusals().length;
  await calls();
  return refusals()
    .slice(before)
    .map((line) => JSON.parse(line));
};

test.each(Object.entries(KNOWN))(
  'a call refused for "%s" is logged, counted by reason, and written to the audit log once a minute',
  async (reason, caller) => {
    const { keyId, apiKey } = await caller();
    const createdAt = new Date().toISOString();
    const userAgent = `tool/${'x'.repeat(400)}`;
    const sourceIp = expect.stringMatching(LOOPBACK);
    const logged = await refusedIn(async () => {
      const call = () => read(apiKey, { key: HIDDEN }, { 'user-agent': userAgent });
      expect((await call()).code).toBe(REFUSALS[reason as RefusalReason]);
      await call();
    });
    const dimensions = ['Reason', 'Group'].map((name) => ['Stage', name]);
    expect(logged).toHaveLength(2);
    expect(logged[0]).toMatchObject({
      keyId,
      Reason: reason,
      RefusedCalls: 1,
      Stage: 'local',
      sourceIp,
      _aws: { CloudWatchMetrics: [{ Dimensions: dimensions }] },
    });
    const { entries } = await ask('audit-list', { kind: 'refusal', actor: keyId });
    // The two calls may fall into different minutes.
    expect([1, 2]).toContain(entries.length);
    const subject = 'vault-get-secrets';
    expect(entries[0]).toMatchObject({
      kind: 'refusal',
      actorId: keyId,
      actor: 'test key',
      action: 'call.refuse',
      subject,
      name: subject,
      details: { reason, asked: HIDDEN, sourceIp, userAgent: userAgent.slice(0, 256) },
    });
    expect(new Set(column(entries, 'at')).size).toBe(entries.length);
    // Not before the key existed, as the beginning of the minute could be.
    const times = [createdAt, entries.at(-1).at, entries.at(-1).entryId];
    expect(times.toSorted()).toEqual(times);
    const { keys } = await ask('keys-list', { q: keyId });
    expect(keys[0]).toMatchObject({ lastUsedAt: null, refused: { reason, asked: HIDDEN } });
    const { refused } = await ask('overview-get');
    expect(refused[0]).toMatchObject({ keyId, name: 'test key', reason, minutes: entries.length });
    expect(lines().join()).not.toContain(apiKey);
  },
);

test('a restricted key cannot tell a hidden secret from a missing one, and both count as refusals', async () => {
  const { apiKey } = await instance.newKey({ tags: ['public'] });
  const logged = await refusedIn(async () => {
    const hidden = await read(apiKey);
    const missing = await read(apiKey, { key: 'NO_SUCH_SECRET' });
    expect([hidden.status, hidden.text]).toEqual([404, missing.text.replace('NO_SUCH_SECRET', HIDDEN)]);
  });
  expect(logged).toMatchObject([{ Reason: 'tags' }, { Reason: 'tags' }]);
});

test('a secret that an unrestricted key does not find is not a refusal', async () => {
  const { apiKey } = await instance.newKey();
  const logged = await refusedIn(async () => {
    for (const body of [{ key: 'NO_SUCH_SECRET' }, { key: HIDDEN, tags: ['public'] }])
      expect((await read(apiKey, body)).status).toBe(404);
  });
  expect(logged).toEqual([]);
});

test('calls without a known key are logged with the key or trust that they name, and write no audit entry; a viewer sees how many of each reason', async () => {
  const unknown = generateApiKey();
  const { apiKey, keyId: known } = await instance.newKey({ permissions: ['prompts'] });
  const unfetched = 'https://unfetched.example.com';
  const trust = await newTrust({ issuer: unfetched, permissions: ['secrets'] });
  const tokens = [unfetched, 'https://another.example.com'].map((iss) =>
    tokenOfWorker({ iss, aud: trust.audience }),
  );
  const countsOf = (rows: { reason: string; calls: number }[]): Record<string, number> =>
    Object.fromEntries(rows.map(({ reason, calls }) => [reason, calls]));
  const before = countsOf((await ask('metrics-get', {}, 'viewer')).refused);
  const credentials = [unknown.apiKey, 'cue_nothing', '', ...(await Promise.all(tokens)), apiKey];
  const logged = await refusedIn(async () => {
    for (const credential of credentials) await read(credential);
  });
  expect(logged.map(({ Reason, keyId }) => [Reason, keyId])).toEqual([
    ['unknown_key', unknown.keyId],
    ['malformed_key', undefined],
    ['malformed_key', undefined],
    ['signing_key', trust.keyId],
    ['wrong_token', trust.keyId],
    ['permission', known],
  ]);
  for (const keyId of [unknown.keyId, trust.keyId]) expect(await auditOf('refusal', keyId)).toEqual([]);
  const calls = Object.values(before).reduce((sum, each) => sum + each, logged.length);
  const now = countsOf(await refusedCalls(calls));
  for (const { Reason } of logged) before[String(Reason)] = (before[String(Reason)] ?? 0) + 1;
  expect(now).toEqual(before);
});

test.each([
  ['publish', { name: 'x'.repeat(20_000) }, 'list'],
  ['list', {}, 'source'],
  ['source', { names: 1 }, 'move-labels'],
  ['move-labels', {}, 'publish'],
])(
  'a call of %s counts, whatever is wrong with it: the next, of whatever route, is told how long to wait, and the audit log says so',
  async (route, body, next) => {
    const key = await instance.newKey({ permissions: ['publish'] });
    const call = (name: string) => instance.post(`/api/prompt/${name}`, body, key.apiKey);
    expect((await call(route)).code).not.toBe('rate_limited');
    const { code, json, headers } = await call(next);
    expect(code).toBe('rate_limited');
    expect(json.err).toMatch(/^This API key may make 1 call from code in 10 seconds\. Wait \d+ s, /);
    expect(headers.get('retry-after')).toMatch(/^([1-9]|10)$/);
    expect(await auditOf('refusal', key.keyId)).toMatchObject([{ details: { reason: 'rate' } }]);
  },
);

const NOW = new Date('2026-03-10T12:30:00.000Z');
const GRANT = { on: 'metrics', actions: ['GetMetricData'] } as const;
const STAGE = { [ENVIRONMENT.stage]: 'prod' };

const cloudWatch = createCloudWatch();
let opened: TestEndpoint;
let failing: unknown;
const intercept = () => (failing === undefined ? undefined : { status: 200, body: JSON.stringify(failing) });
beforeAll(async () => {
  opened = await openTestEndpoint({ 'metrics-get': [GRANT], other: [] }, { cloudWatch, intercept });
});
afterAll(() => opened.stop());

/** Reads the metrics as a function with these variables. */
const metricsOf = (operationId = 'metrics-get', environment: Record<string, string> = {}) => {
  const credentials = opened.endpoint.credentialsOf(operationId);
  const options = { endpoint: opened.endpoint.url, region: REGION, credentials, maxAttempts: 1 };
  return connectMetrics({ ...STAGE, ...environment }, options)(NOW);
};

/** Logs a metric once for each time in March. */
const count = (Namespace: string, Name: string, dimensions: Record<string, string>, ...times: string[]) => {
  const metric = { Namespace, Dimensions: [Object.keys(dimensions)], Metrics: [{ Name }] };
  for (const time of times) {
    const _aws = { Timestamp: Date.parse(`2026-03-${time}.000Z`), CloudWatchMetrics: [metric] };
    cloudWatch.collect(`a line\n${JSON.stringify({ ...dimensions, _aws })}\n{"_aws"`);
  }
};

test('refused calls of the stage count from the hour in which the last 24 hours begin, most first', async () => {
  const refused = (Reason: string, Stage: string, ...times: string[]) =>
    count('Cuevault', 'RefusedCalls', { Reason, Stage }, ...times);
  refused('expired', 'prod', '09T11:59:59', '09T12:00:00', '10T12:30:00');
  refused('malformed_key', 'prod', '10T00:00:00', '10T01:00:00', '10T01:00:01');
  refused('revoked', 'prod', '09T11:59:59');
  refused('expired', 'test', '10T12:00:00');
  const counted = { malformed_key: 3, expired: 2 };
  expect(await metricsOf()).toEqual({
    refused: Object.entries(counted).map(([reason, calls]) => ({ reason, calls })),
    webhook: null,
  });
});

test('each of the last seven days (UTC) has what EventBridge did with the events of the webhook', async () => {
  const rule = { EventBusName: 'bus', RuleName: 'webhook' };
  const events = (Name: string, ...times: string[]) => count('AWS/Events', Name, rule, ...times);
  events('InvocationAttempts', '03T23:59:59', '04T00:00:00', '10T00:00:00', '10T12:00:00');
  events('Invocations', '10T12:00:00');
  events('FailedInvocations', '09T23:59:59');
  count('AWS/Events', 'FailedInvocations', { ...rule, RuleName: 'other' }, '09T23:59:59');
  const { webhook } = await metricsOf('metrics-get', { [ENVIRONMENT.webhookRule]: 'bus|webhook' });
  const none = { attempts: 0, invocations: 0, failed: 0 };
  expect(webhook).toEqual([
    { day: '2026-03-04', ...none, attempts: 1 },
    ...['05', '06', '07', '08'].map((day) => ({ day: `2026-03-${day}`, ...none })),
    { day: '2026-03-09', ...none, failed: 1 },
    { day: '2026-03-10', attempts: 2, invocations: 1, failed: 0 },
  ]);
});

test('a metric that CloudWatch fails to read counts as unknown, not as zero', async () => {
  const unread = { Id: 'expired', StatusCode: 'InternalError', Timestamps: [], Values: [] };
  failing = { MetricDataResults: [unread] };
  const metrics = metricsOf().finally(() => {
    failing = undefined;
  });
  await expect(metrics).rejects.toMatchObject({ code: 'unavailable' });
});

test('a function without the permission is denied', async () => {
  await expect(metricsOf('other')).rejects.toMatchObject({ name: 'AccessDeniedException' });
});
