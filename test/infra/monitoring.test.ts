import { readFileSync } from 'node:fs';
import { isRead } from '../../contract/endpoint.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { REFUSALS, refusalGroup } from '../../contract/http/errors.ts';
import { pricedResources } from '../bench/idle.ts';
import { isRaised, type Values } from './alarms.ts';
import { type Json, otherwise, synthesize } from './stack.ts';

const context = {
  alarmEmail: 'oncall@example.com',
  noticeEmail: 'team@example.com',
  stage: 'dev',
  webhookUrl: 'https://example.com/hook',
  webhookSecret: 'hook',
};
const whole = synthesize(context);
const stack = whole.monitoring;
const alarms = new Map(
  Object.values(stack.resources('AWS::CloudWatch::Alarm')).map(({ Properties }) => [
    String(Properties.AlarmName).replace(/^cuevault-dev-/, ''),
    Properties,
  ]),
);
const runbook = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

interface Fault {
  readonly severity: 'page' | 'notice';
  readonly metric: string;
  readonly of?: string;
  /** The metric of all calls, of which the failures are a part. */
  readonly calls?: string;
  /** What the fault leaves in the metric, and what still is normal. */
  readonly rings: Values;
  readonly quiet: Values;
}

const fault = (
  severity: Fault['severity'],
  metric: string,
  rings: Values,
  quiet: Values,
  of?: string,
): Fault => ({
  severity,
  metric,
  rings,
  quiet,
  ...(of === undefined ? {} : { of }),
});
const failing = (severity: Fault['severity'], of: string) =>
  fault(severity, 'AWS/Lambda Errors', [1], [0], of);
/** A call in a hundred failed, and five; many calls make the same failures normal, and so do fewer failures. */
const failingOften = (metric: string, calls: string, of?: string): Fault => ({
  ...fault('page', metric, [5], [4], of),
  calls,
});
const behind = (severity: Fault['severity'], of: string) =>
  fault(severity, 'AWS/Lambda IteratorAge', [600_000], [61_000], of);
// One late run is normal.
const missing = (of: string) =>
  fault('page', 'AWS/Lambda Invocations', [undefined, undefined, undefined], [1, undefined, undefined], of);
/** A metric of ours, which has no data unless something happened. */
const counted = (severity: Fault['severity'], metric: string, of?: string) =>
  fault(severity, `Cuevault ${metric}`, [1], [undefined], of);

const FAULTS: Record<string, Fault> = {
  'api-server-errors': failingOften('AWS/ApiGateway 5xx', 'AWS/ApiGateway Count'),
  // Of 200 calls per second for each route.
  'throttle-near': fault('notice', 'AWS/ApiGateway Count', [9_600, 9_600, 9_700], [9_600, 9_599, 9_700]),
  'read-latency': fault(
    'page',
    'AWS/Lambda Duration',
    [3_100, 3_000, 4_200],
    [3_100, 900, 4_200],
    'vaultgetsecrets',
  ),
  'function-throttles': fault('page', 'AWS/Lambda Throttles', [10], [9], 'promptgetcompiled'),
  'account-concurrency': fault('notice', 'AWS/Lambda ConcurrentExecutions', [800], [799]),
  // The only read of the two endpoints that applications call most.
  'table-faults': fault('page', 'AWS/DynamoDB SystemErrors', [5], [4], 'BatchGetItem'),
  // Both the table and its index have the metric.
  'table-throttles': fault('notice', 'AWS/DynamoDB ReadThrottleEvents', [5], [4]),
  'rows-refused': counted('page', 'IntegrityFailures'),
  'access-entries-lost': counted('notice', 'AccessEntriesLost'),
  'unauthenticated-calls': fault('notice', 'Cuevault RefusedCalls', [100], [99], '401'),
  'expired-key-calls': counted('notice', 'RefusedCalls', 'expired'),
  'forbidden-calls': fault('page', 'Cuevault RefusedCalls', [20], [19], '403'),
  'unknown-values': fault('page', 'Cuevault UnknownValues', [11], [10]),
  'webhook-failures': fault('notice', 'AWS/Events FailedInvocations', [1], [undefined]),
  'failed-records': fault('notice', 'AWS/S3 NumberOfObjects', [1], [0]),
  'audit-seal-missing': missing('auditseal'),
  'usage-count-behind': behind('notice', 'usagecount'),
  'changes-behind': behind('notice', 'changes'),
  ...Object.fromEntries(
    ['prompt-get-compiled', 'prompt-get-langfuse', 'vault-get-secrets'].map((id) => [
      `${id}-failures`,
      failingOften('AWS/Lambda Errors', 'AWS/Lambda Invocations', id.replaceAll('-', '')),
    ]),
  ),
  'pre-token-failures': failing('page', 'pretoken'),
  'audit-seal-failures': failing('page', 'auditseal'),
  'vault-rotate-failures': failing('notice', 'vaultrotate'),
  'table-purge-failures': failing('notice', 'tablepurge'),
  'usage-days-failures': failing('notice', 'usagedays'),
  'issuer-keys-failures': failing('notice', 'issuerkeys'),
  'first-operator-failures': failing('notice', 'firstoperator'),
};

const alarm = (id: string): Json => alarms.get(id) ?? {};
const recorded = ({ metric, of, calls }: Fault, values: Values, called = 500) => [
  { metric, values, ...(of === undefined ? {} : { of }) },
  ...(calls === undefined ? [] : [{ metric: calls, values: [called] }]),
];

test('each alarm has a fault that raises it, and each endpoint for applications has an alarm', () => {
  expect([...alarms.keys()].sort()).toEqual(Object.keys(FAULTS).sort());
  const reads = ENDPOINTS.filter(isRead).map(({ id }) => `${id}-failures`);
  expect([...alarms.keys()]).toEqual(expect.arrayContaining(reads));
});

test.each(Object.entries(FAULTS))('%s is raised by its fault, and not by what is normal', (id, fault) => {
  expect(isRaised(alarm(id), recorded(fault, fault.rings))).toBe(true);
  expect(isRaised(alarm(id), recorded(fault, fault.quiet))).toBe(false);
  if (fault.calls !== undefined) expect(isRaised(alarm(id), recorded(fault, fault.rings, 501))).toBe(false);
});

test('throttled reads and writes of the index count, too', () => {
  const ofIndex = [{ metric: 'AWS/DynamoDB WriteThrottleEvents', of: 'gsi1', values: [10] }];
  expect(isRaised(alarm('table-throttles'), ofIndex)).toBe(true);
});

test.each(Object.entries(FAULTS))('%s is mailed with its severity', (id, { severity }) => {
  const [{ Ref: topic }] = alarm(id).AlarmActions as [{ Ref: string }];
  const [subscription] = Object.values(stack.resources('AWS::SNS::Subscription')).filter(
    ({ Properties }) => (Properties.TopicArn as { Ref: string }).Ref === topic,
  );
  expect(subscription?.Properties.Endpoint).toBe(
    severity === 'page' ? context.alarmEmail : context.noticeEmail,
  );
});

const sections = new Map(
  runbook.split(/^#{2,3} /m).map((section) => {
    const [title = '', ...lines] = section.split('\n');
    return [title.trim(), lines.join('\n')];
  }),
);

test.each([...alarms.keys(), 'protections-changed'])(
  'the runbook says what %s means, how to look at it and how to fix it',
  (id) => {
    const section = sections.get(id) ?? '';
    expect(section).toMatch(/^\n\S/);
    expect(section).toMatch(/^- Look: .*[`"]/m);
    expect(section).toMatch(/^- Fix: /m);
    if (alarms.has(id))
      expect(alarm(id).AlarmDescription).toMatch(new RegExp(`\\. See docs/operations.md#${id}\\.$`));
  },
);

test('every rejection reason counts for exactly one alarm, which has one metric however many there are', () => {
  const groupOf = (id: string) => (alarm(id).Dimensions as { Name: string; Value: string }[])[0];
  expect(groupOf('unauthenticated-calls')).toEqual({ Name: 'Group', Value: '401' });
  expect(groupOf('forbidden-calls')).toEqual({ Name: 'Group', Value: '403' });
  const reasons = Object.keys(REFUSALS) as (keyof typeof REFUSALS)[];
  expect(reasons.filter((reason) => refusalGroup(reason) === '401')).toEqual([
    ...['malformed_key', 'unknown_key', 'wrong_secret', 'wrong_token', 'claims', 'expired', 'revoked'],
  ]);
});

test('faults of the table are counted for each operation that a grant allows', () => {
  const allowed = new Set(
    ENDPOINTS.flatMap(({ grants }) => grants.flatMap((grant) => (grant.on === 'table' ? grant.actions : []))),
  );
  const counted = JSON.stringify(alarm('table-faults'));
  // A transaction is counted as such, and checks a condition as one of its parts.
  expect(
    [...allowed].filter((action) => action !== 'ConditionCheckItem' && !counted.includes(`"${action}"`)),
  ).toEqual([]);
});

describe('changes of what protects the data', () => {
  const rules = Object.values(stack.resources('AWS::Events::Rule'))
    .map(({ Properties }) => Properties)
    .filter(({ Description = '' }) => String(Description).includes('protections-changed'));
  const patternOf = (severity: string) =>
    rules.find(({ Description }) => String(Description).includes(`, ${severity}.`))?.EventPattern as {
      detail: { sourceIPAddress: unknown[]; $or: Json[]; eventName: unknown[] };
    };

  test('page, unless CloudFormation makes them', () => {
    expect(patternOf('page').detail.sourceIPAddress).toEqual([
      { 'anything-but': 'cloudformation.amazonaws.com' },
    ]);
    expect(patternOf('notice').detail.sourceIPAddress).toEqual(['cloudformation.amazonaws.com']);
    expect(patternOf('notice').detail.eventName).toEqual(patternOf('page').detail.eventName);
  });

  test('page for new code of a function that CloudFormation did not deploy', () => {
    const code = patternOf('code') as unknown as { detail: { eventName: { prefix: string }[] } };
    const matches = (name: string) => code.detail.eventName.some(({ prefix }) => name.startsWith(prefix));
    expect(['UpdateFunctionCode20150331v2', 'UpdateFunctionConfiguration20150331v2'].map(matches)).toEqual([
      true,
      true,
    ]);
    expect(code.detail).toMatchObject({
      sourceIPAddress: [{ 'anything-but': 'cloudformation.amazonaws.com' }],
      requestParameters: {
        functionName: [{ prefix: 'cuevault-dev-' }, { wildcard: 'arn:*:function:cuevault-dev-*' }],
      },
    });
  });

  test('include backups and expiry of the table, and the policy of the sealed log', () => {
    expect(patternOf('page').detail.eventName).toEqual(
      expect.arrayContaining(['UpdateContinuousBackups', 'UpdateTimeToLive', 'PutBucketPolicy']),
    );
    const text = JSON.stringify(whole.passed(patternOf('page').detail.$or));
    expect(text).toContain('{"bucketName":[{"Ref":"SealedLog"}]}');
  });

  test('are those of both keys, the table and both consumers of this stack', () => {
    const { $or } = patternOf('page').detail;
    const text = JSON.stringify(whole.passed($or));
    for (const id of ['VaultKey', 'SigningKey', 'Table'])
      expect(text).toContain(`"Fn::GetAtt":["${id}","Arn"]`);
    for (const id of Object.keys(whole.resources('AWS::Lambda::EventSourceMapping')))
      expect(text).toContain(`{"Ref":"${id}"}`);
  });
});

test('each topic accepts from CloudWatch only what this account publishes', () => {
  const policies = Object.values(stack.resources('AWS::SNS::TopicPolicy'));
  expect(policies).toHaveLength(2);
  for (const { Properties } of policies) {
    const { Statement } = Properties.PolicyDocument as { Statement: object[] };
    expect(Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    );
  }
});

test('without an address alarms and changes reach topics without subscriptions, and with noticeAlarms=false only those that page', () => {
  const silent = otherwise().monitoring;
  silent.template.resourceCountIs('AWS::SNS::Topic', 2);
  silent.template.resourceCountIs('AWS::SNS::Subscription', 0);
  silent.template.resourceCountIs('AWS::Events::Rule', 3);
  silent.template.resourceCountIs('AWS::CloudWatch::Dashboard', 0);
  const pages = Object.values(FAULTS).filter(({ severity }) => severity === 'page');
  silent.template.resourceCountIs('AWS::CloudWatch::Alarm', pages.length);
});

test('a small deployment costs at most 4 dollars a month without calls, and still pages for failures and attacks', () => {
  const small = synthesize({ ...context, small: true }).monitoring;
  const names = Object.values(small.resources('AWS::CloudWatch::Alarm')).map(({ Properties }) =>
    String(Properties.AlarmName).replace('cuevault-dev-', ''),
  );
  const jobs = ['audit-seal-failures', 'audit-seal-missing'];
  const attacks = ['forbidden-calls', 'rows-refused', 'unknown-values'];
  expect(new Set(names)).toEqual(new Set(['api-server-errors', 'pre-token-failures', ...jobs, ...attacks]));
  expect(small.resources('AWS::CloudWatch::Dashboard')).toEqual({});
  const priced = pricedResources({ small: true }).reduce((sum, { dollars }) => sum + dollars, 0);
  // Jobs cost 0.28 by the benchmark of costs.
  expect(priced).toBeLessThan(3.7);
});
