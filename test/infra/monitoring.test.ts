import { readFileSync } from 'node:fs';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { CONSUMERS } from '../../contract/functions/consumers.ts';
import { JOBS } from '../../contract/functions/jobs.ts';
import { PUBLIC_KEY, TRIGGERS } from '../../contract/functions/triggers.ts';
import { REFUSALS } from '../../contract/http/refusals.ts';
import { synthesize } from './stack.ts';

const stack = synthesize({ alarmEmail: 'oncall@example.com', stage: 'dev' });
const alarms = Object.values(stack.resources('AWS::CloudWatch::Alarm')).map(({ Properties }) => Properties);

test('there is an alarm for each condition that needs attention', () => {
  const watched = [
    ...ENDPOINTS.filter(({ access }) => access.kind === 'api-key'),
    ...JOBS,
    ...CONSUMERS,
    ...TRIGGERS,
  ].filter(
    // A deployment that cannot fetch the public key fails anyway.
    ({ id }) => id !== PUBLIC_KEY.id,
  );
  expect(alarms.map(({ AlarmName }) => AlarmName).sort()).toEqual(
    [
      'cuevault-dev-api-server-errors',
      'cuevault-dev-access-entries-lost',
      'cuevault-dev-rows-refused',
      'cuevault-dev-integrity-findings',
      'cuevault-dev-table-faults',
      'cuevault-dev-unauthenticated-calls',
      'cuevault-dev-forbidden-calls',
      ...watched.map(({ id }) => `cuevault-dev-${id}-failures`),
      ...CONSUMERS.map(({ id }) => `cuevault-dev-${id}-behind`),
    ].sort(),
  );
});

test('the runbook covers each function that has an alarm', () => {
  const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const watched = alarms.flatMap(
    ({ AlarmName }) => /^cuevault-dev-(.+)-failures$/.exec(String(AlarmName))?.[1] ?? [],
  );
  expect(watched.length).toBeGreaterThan(0);
  for (const id of watched) expect(operations).toContain(`| alarm: \`${id}\` failed`);
});

test('every alarm is mailed, explains itself, and is silent while there is no data', () => {
  const [topic] = Object.keys(stack.resources('AWS::SNS::Topic'));
  for (const alarm of alarms) {
    expect(alarm.AlarmActions).toEqual([{ Ref: topic }]);
    expect(alarm.TreatMissingData).toBe('notBreaching');
    expect(alarm.AlarmDescription).toMatch(/\.$/);
  }
});

test('a sum over several metrics has data as soon as one of them has', () => {
  const expressions = alarms.flatMap(({ Metrics }) =>
    ((Metrics ?? []) as { Expression?: string }[]).flatMap(({ Expression }) => Expression ?? []),
  );
  expect(expressions.length).toBeGreaterThan(0);
  for (const expression of expressions) expect(expression).toMatch(/^SUM\(\[[a-z_, ]+\]\)$/);
});

test('lost access entries are counted as the functions of this stage report them', () => {
  const alarm = alarms.find(({ AlarmName }) => AlarmName === 'cuevault-dev-access-entries-lost');
  expect(alarm).toMatchObject({ Namespace: 'Cuevault', MetricName: 'AccessEntriesLost', Threshold: 1 });
  expect(alarm?.Dimensions).toEqual([{ Name: 'Stage', Value: 'dev' }]);
});

test('every rejection reason counts for exactly one alarm', () => {
  const reasons = ['unauthenticated-calls', 'forbidden-calls'].map((id) => {
    const alarm = alarms.find(({ AlarmName }) => AlarmName === `cuevault-dev-${id}`);
    return (
      (alarm?.Metrics ?? []) as {
        MetricStat?: { Metric: { Dimensions: { Name: string; Value: string }[] } };
      }[]
    )
      .flatMap(({ MetricStat }) => MetricStat?.Metric.Dimensions ?? [])
      .flatMap(({ Name, Value }) => (Name === 'Reason' ? [Value] : []));
  });
  expect(reasons[0]).toEqual(['malformed_key', 'unknown_key', 'wrong_secret', 'expired', 'revoked']);
  expect(reasons.flat().sort()).toEqual(Object.keys(REFUSALS).sort());
});

test('the topic accepts only encrypted messages from CloudWatch', () => {
  const [Statement] = Object.values(stack.resources('AWS::SNS::TopicPolicy')).map(
    ({ Properties }) => (Properties.PolicyDocument as { Statement: object[] }).Statement,
  );
  expect(Statement).toContainEqual(
    expect.objectContaining({
      Effect: 'Allow',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    }),
  );
  expect(Statement).toContainEqual(
    expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
  );
});

test('without an address there are alarms but no topic', () => {
  const silent = synthesize();
  silent.template.resourceCountIs('AWS::SNS::Topic', 0);
  silent.template.resourceCountIs('AWS::CloudWatch::Alarm', alarms.length);
});
