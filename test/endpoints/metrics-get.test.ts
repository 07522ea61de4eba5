import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { generateApiKey } from '../../lambdas/core/api-keys/new-key.ts';
import { createApiKey, revokeApiKey } from '../../lambdas/store/api-keys/api-keys.ts';
import { connectMetrics } from '../../lambdas/store/views/metrics.ts';
import { REGION } from '../../local/aws/account.ts';
import { createCloudWatch } from '../../local/aws/cloudwatch.ts';
import { ask, refusedCalls } from '../support/admin.ts';
import { openTestEndpoint, type TestEndpoint } from '../support/aws/aws-endpoint.ts';
import { changeAt } from '../support/rows/table.ts';
import { instance, withOwnInstance } from '../support/shared/instance.ts';

withOwnInstance();

const viewed = () => ask(instance, 'metrics-get', { groups: ['viewer'] });

test('a viewer sees how many calls were refused for each reason, whether or not their key is known', async () => {
  expect(await viewed()).toEqual({ refused: [], webhook: null });
  const refuse = async (apiKey: string, times: number) => {
    for (let i = 0; i < times; i++) await instance.post('/api/vault/get-secrets', {}, apiKey);
  };
  const expired = { name: 'old', permissions: ['secrets'], expiresAt: '1970-01-01T01:00:00.000Z' } as const;
  await refuse((await createApiKey(instance.table, changeAt(new Date(0)), expired)).apiKey, 5);
  await refuse('cue_nothing', 4);
  await refuse(generateApiKey().apiKey, 3);
  await refuse((await instance.newKey({ permissions: ['prompts'] })).apiKey, 2);
  const revoked = await instance.newKey();
  await revokeApiKey(instance.table, changeAt(), revoked.keyId);
  await refuse(revoked.apiKey, 1);
  await refuse((await instance.newKey()).apiKey, 1);
  expect(await refusedCalls(instance, 15)).toEqual([
    { reason: 'expired', calls: 5 },
    { reason: 'malformed_key', calls: 4 },
    { reason: 'unknown_key', calls: 3 },
    { reason: 'permission', calls: 2 },
    { reason: 'revoked', calls: 1 },
  ]);
});

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
const metricsOf = (operationId: string, environment: Record<string, string>) => {
  const credentials = opened.endpoint.credentialsOf(operationId);
  const options = { endpoint: opened.endpoint.url, region: REGION, credentials, maxAttempts: 1 };
  return connectMetrics(environment, options)(NOW);
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
  const refused = (Reason: string, ...times: string[]) =>
    count('Cuevault', 'RefusedCalls', { Reason, Stage: 'prod' }, ...times);
  refused('expired', '09T11:59:59', '09T12:00:00', '10T12:30:00');
  refused('malformed_key', '10T00:00:00', '10T01:00:00', '10T01:00:01');
  refused('revoked', '09T11:59:59');
  count('Cuevault', 'RefusedCalls', { Reason: 'expired', Stage: 'test' }, '10T12:00:00');
  expect(await metricsOf('metrics-get', STAGE)).toEqual({
    refused: [
      { reason: 'malformed_key', calls: 3 },
      { reason: 'expired', calls: 2 },
    ],
    webhook: null,
  });
});

test('each of the last seven days (UTC) has what EventBridge did with the events of the webhook', async () => {
  const rule = { EventBusName: 'bus', RuleName: 'webhook' };
  count('AWS/Events', 'InvocationAttempts', rule, '03T23:59:59', '04T00:00:00', '10T00:00:00', '10T12:00:00');
  count('AWS/Events', 'Invocations', rule, '10T12:00:00');
  count('AWS/Events', 'FailedInvocations', rule, '09T23:59:59');
  count('AWS/Events', 'FailedInvocations', { ...rule, RuleName: 'other' }, '09T23:59:59');
  const { webhook } = await metricsOf('metrics-get', { ...STAGE, [ENVIRONMENT.webhookRule]: 'bus|webhook' });
  const [first, ...rest] = webhook ?? [];
  expect(first).toEqual({ day: '2026-03-04', attempts: 1, invocations: 0, failed: 0 });
  expect(rest.map(({ day }) => day.slice(-2))).toEqual(['05', '06', '07', '08', '09', '10']);
  expect(rest.at(-2)).toMatchObject({ attempts: 0, failed: 1 });
  expect(rest.at(-1)).toMatchObject({ attempts: 2, invocations: 1, failed: 0 });
});

test('a metric that CloudWatch fails to read counts as unknown, not as zero', async () => {
  failing = {
    MetricDataResults: [{ Id: 'expired', StatusCode: 'InternalError', Timestamps: [], Values: [] }],
  };
  const metrics = metricsOf('metrics-get', STAGE).finally(() => {
    failing = undefined;
  });
  await expect(metrics).rejects.toMatchObject({ code: 'unavailable' });
});

test('a function without the permission is denied', async () => {
  await expect(metricsOf('other', STAGE)).rejects.toMatchObject({ name: 'AccessDeniedException' });
});
