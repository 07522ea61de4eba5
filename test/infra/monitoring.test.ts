import { readFileSync } from 'node:fs';
import { JOBS } from '../../contract/functions/jobs.ts';
import { REFUSALS, refusalGroup } from '../../contract/http/errors.ts';
import { metricsOf, pricedResources } from '../bench/idle.ts';
import { isRaised, type Values } from './alarms.ts';
import { ADDRESSES, addressed, type Json, LONG_STAGE, otherwise, synthesize } from './stack.ts';

const { alarmEmail } = ADDRESSES;
const whole = addressed();
const stack = whole.monitoring;
const alarms = new Map(
  stack
    .all('AWS::CloudWatch::Alarm')
    .map((each) => [String(each.AlarmName).replace(`cuevault-${LONG_STAGE}-`, ''), each]),
);
const runbook = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

/** What a fault leaves in a metric (of a function or a reason), and what still is normal. */
type Fault = [id: string, metric: string, rings: Values, quiet: Values, of?: string];
const FAULTS: readonly Fault[] = [
  // A call in a hundred failed, and five; fewer failures are normal.
  ['api-server-errors', 'AWS/ApiGateway 5xx', [5], [4]],
  ['function-throttles', 'AWS/Lambda Throttles', [10], [9]],
  ['sign-in-failures', 'AWS/Lambda Errors', [1], [0], 'pretoken'],
  ['changes-behind', 'AWS/Lambda IteratorAge', [600_000], [61_000], 'changes'],
  ['failed-records', 'AWS/S3 NumberOfObjects', [1], [0]],
  ['rows-refused', 'Cuevault IntegrityFailures', [1], [undefined]],
  ['forbidden-calls', 'Cuevault RefusedCalls', [20], [19], '403'],
  ['unknown-values', 'Cuevault UnknownValues', [11], [10]],
  ['expired-key-calls', 'Cuevault RefusedCalls', [1], [undefined], 'expired'],
  ['webhook-failures', 'AWS/Events FailedInvocations', [1], [undefined]],
];

const alarm = (id: string): Json => alarms.get(id) ?? {};
const isRaisedBy = (id: string, metric: string, values: Values, of: string, calls = 500) =>
  isRaised(alarm(id), [
    { metric, values, of },
    { metric: 'AWS/ApiGateway Count', values: [calls] },
  ]);

test('each alarm has a fault that raises it', () => {
  expect([...alarms.keys()].sort()).toEqual(FAULTS.map(([id]) => id).sort());
});

test.each<Fault>(FAULTS)(
  '%s is raised by its fault, and not by what is normal',
  (id, metric, rings, quiet, of = '') => {
    expect(isRaisedBy(id, metric, rings, of)).toBe(true);
    expect(isRaisedBy(id, metric, quiet, of)).toBe(false);
  },
);

test('more calls make as many server errors normal', () => {
  expect(isRaisedBy('api-server-errors', 'AWS/ApiGateway 5xx', [5], '', 501)).toBe(false);
});

test('throttles are those of all functions of the account, which share one limit', () => {
  expect(alarm('function-throttles')).not.toHaveProperty('Dimensions');
});

test('all of them, and jobs that failed three times, are mailed to the address', () => {
  const { logicalId } = whole.only('AWS::SNS::Topic');
  expect(whole.only('AWS::SNS::Subscription').Properties).toMatchObject({
    Endpoint: alarmEmail,
    TopicArn: { Ref: logicalId },
  });
  for (const { AlarmActions } of alarms.values())
    expect(whole.passed(AlarmActions)).toEqual([{ Ref: logicalId }]);
  const mailed = { DestinationConfig: { OnFailure: { Destination: { Ref: logicalId } } } };
  expect(whole.all('AWS::Lambda::EventInvokeConfig')).toMatchObject(JOBS.map(() => mailed));
});

const sections = new Map(
  runbook.split(/^#{2,3} /m).map((section) => {
    const [title = '', ...lines] = section.split('\n');
    return [title.trim(), lines.join('\n')];
  }),
);

test.each([...alarms.keys(), 'protections-changed', 'jobs-failed'])(
  'the runbook says what %s means, how to look at it and how to fix it',
  (id) => {
    const section = sections.get(id) ?? '';
    expect(section).toMatch(/^\n\S/);
    expect(section).toMatch(/^- Look: .*`/m);
    expect(section).toMatch(/^- Fix: /m);
    if (alarms.has(id))
      expect(alarm(id).AlarmDescription).toMatch(new RegExp(`\\. See docs/operations.md#${id}\\.$`));
  },
);

test('each reason of a refusal belongs to one group', () => {
  const reasons = Object.keys(REFUSALS) as (keyof typeof REFUSALS)[];
  expect(reasons.filter((reason) => refusalGroup(reason) === '401')).toEqual([
    'malformed_key',
    'unknown_key',
    'wrong_secret',
    'wrong_token',
    'claims',
    'signing_key',
    'expired',
    'revoked',
  ]);
});

describe('changes of what protects the data', () => {
  const ruleOf = (id: string, { monitoring } = whole) =>
    monitoring.all('AWS::Events::Rule').find((each) => String(each.Description).includes(`, ${id}.`)) ?? {};
  const detailOf = (id: string) => ruleOf(id).EventPattern.detail;
  const textOf = (id: string) => JSON.stringify(ruleOf(id).Targets);
  const BY_OTHERS = [{ 'anything-but': 'cloudformation.amazonaws.com' }];

  test('are reported, those by CloudFormation and a pause of a consumer as a notice', () => {
    for (const id of ['changed', 'paused', 'code']) expect(detailOf(id).sourceIPAddress).toEqual(BY_OTHERS);
    expect(detailOf('deployed').sourceIPAddress).toEqual(['cloudformation.amazonaws.com']);
    expect(detailOf('deployed').eventName).toEqual([
      ...detailOf('changed').eventName,
      ...detailOf('paused').eventName,
    ]);
    const notices = ['changed', 'paused', 'deployed', 'code'].filter((id) => textOf(id).includes('Notice: '));
    expect(notices).toEqual(['paused', 'deployed']);
  });

  // CloudFormation keeps 25 characters of a stack's name in the names that it generates.
  test.each([
    ['cuevault-dev-', otherwise()],
    ['cuevault-a-stage-that-is-', whole],
  ])('include new code of the functions whose names begin with %s', (prefix, synthesized) => {
    expect(ruleOf('code', synthesized).EventPattern).toMatchObject({
      detail: {
        eventName: [{ prefix: 'UpdateFunctionCode' }, { prefix: 'UpdateFunctionConfiguration' }],
        requestParameters: { functionName: [{ prefix }, { wildcard: `arn:*:function:${prefix}*` }] },
      },
    });
  });

  test('are those of both keys, the table, the sealed log and its schedule, and both consumers of this stack', () => {
    expect(detailOf('changed').eventName).toEqual(
      expect.arrayContaining([
        'UpdateContinuousBackups',
        'UpdateTimeToLive',
        'PutBucketPolicy',
        'DisableRule',
      ]),
    );
    const text = JSON.stringify(whole.passed(detailOf('changed').$or));
    for (const id of ['VaultKey', 'SigningKey', 'Table'])
      expect(text).toContain(`"Fn::GetAtt":["${id}","Arn"]`);
    expect(text).toContain('{"bucketName":[{"Ref":"SealedLog"}]}');
    expect(text).toContain('auditsealSchedule');
    for (const id of Object.keys(whole.resources('AWS::Lambda::EventSourceMapping')))
      expect(text).toContain(`{"Ref":"${id}"}`);
  });
});

test('the topic accepts from CloudWatch only what this account publishes', () => {
  const { Statement } = whole.only('AWS::SNS::TopicPolicy').Properties.PolicyDocument;
  expect(Statement).toContainEqual(
    expect.objectContaining({
      Effect: 'Allow',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    }),
  );
});

describe('small is the default', () => {
  // Jobs cost 0.28 by the benchmark of costs.
  const JOBS_DOLLARS = 0.28;
  const idle = (settings: Json): number =>
    pricedResources(settings).reduce((sum, { dollars }) => sum + dollars, JOBS_DOLLARS);

  test('without an address, there is the alarm of the gradual deployment, no dashboard, and it costs at most 2.60 a month without calls', () => {
    const { monitoring } = synthesize();
    expect(monitoring.only('AWS::CloudWatch::Alarm').Properties.AlarmName).toBe(
      'cuevault-prod-api-server-errors',
    );
    monitoring.template.resourceCountIs('AWS::CloudWatch::Dashboard', 0);
    monitoring.template.resourceCountIs('AWS::Events::Rule', 4);
    expect(idle({})).toBeLessThanOrEqual(2.6);
  });

  test('with an address, there are at most ten metrics of alarms, the webhook adds its own, and it costs at most 3.70', () => {
    const own = synthesize({ alarmEmail }).monitoring.all('AWS::CloudWatch::Alarm');
    expect(own.reduce((sum, each) => sum + metricsOf(each), 0)).toBe(10);
    expect(alarms.size).toBe(own.length + 1);
    expect(idle({ alarmEmail })).toBeLessThanOrEqual(3.7);
  });

  test('the dashboard is one of those that are free of charge: at most 50 metrics, those of its alarms included', () => {
    const { DashboardBody } = stack.only('AWS::CloudWatch::Dashboard').Properties;
    const shown = JSON.stringify(DashboardBody).match(/\\"AWS\/\w+\\",|\\"Cuevault\\",/g) ?? [];
    expect(shown.length).toBeGreaterThan(15);
    expect(shown.length + 11).toBeLessThanOrEqual(50);
  });
});
