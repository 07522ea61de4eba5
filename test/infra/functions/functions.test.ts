import { JOBS } from '../../../contract/functions/jobs.ts';
import { FIRST_OPERATOR } from '../../../contract/functions/triggers.ts';
import { OPERATIONS, otherwise, type Resource, synthesize } from '../stack.ts';

const stack = synthesize();

test.each(OPERATIONS)(
  '$id runs on Node 24 on arm64 with the memory and time of the contract, and logs JSON with a retention period',
  (operation) => {
    const { resource } = stack.functionOf(operation.id);
    expect(resource.Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      MemorySize: operation.memoryMb,
      Timeout: operation.timeoutSeconds,
      LoggingConfig: { LogFormat: 'JSON', SystemLogLevel: 'WARN' },
    });
    const group = stack.resource(resource.Properties.LoggingConfig.LogGroup.Ref);
    expect(group.Properties).toMatchObject({ RetentionInDays: 90 });
  },
);

test('no two functions share a log group or a role', () => {
  const functions = OPERATIONS.map(({ id }) => stack.functionOf(id).resource.Properties);
  const distinct = (name: string) => new Set(functions.map((properties) => JSON.stringify(properties[name])));
  expect(distinct('LoggingConfig').size).toBe(OPERATIONS.length);
  expect(distinct('Role').size).toBe(OPERATIONS.length);
});

test('every log group has the retention of the settings; in production it outlives the stack, but no failed first deployment', () => {
  const groups = Object.values(otherwise().resources('AWS::Logs::LogGroup'));
  // Without company sign-in, nothing asks before a profile exists.
  expect(groups.length).toBeGreaterThan(OPERATIONS.length - 1);
  for (const group of groups)
    expect(group).toMatchObject({ DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' });
  for (const group of Object.values(stack.resources('AWS::Logs::LogGroup')))
    expect(group).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
  expect(new Set(groups.map(({ Properties }) => Properties.RetentionInDays))).toEqual(new Set([14]));
});

test('functions of CDK itself log to a group that ends, too', () => {
  for (const { LoggingConfig } of stack.all('AWS::Lambda::Function'))
    expect(LoggingConfig).toMatchObject({ LogGroup: { Ref: expect.any(String) } });
});

test('a deployment waits at most 16 minutes for a custom resource', () => {
  const all = stack.template.toJSON().Resources as Record<string, Resource>;
  const custom = Object.values(all).filter(({ Type }) => Type.startsWith('Custom::'));
  expect(custom.length).toBeGreaterThan(4);
  for (const { Properties } of custom) expect(Properties.ServiceTimeout).toBe(960);
});

describe('jobs', () => {
  const rules = stack.all('AWS::Events::Rule');
  const rate = (minutes: number) => (minutes === 24 * 60 ? 'rate(1 day)' : `rate(${minutes} minutes)`);

  const scheduled = JOBS.flatMap(({ id, everyMinutes }) =>
    everyMinutes === undefined ? [] : [{ id, everyMinutes }],
  );

  test.each(scheduled)('$id runs every $everyMinutes minutes', ({ id, everyMinutes }) => {
    const arn = JSON.stringify(stack.arnOf(id));
    const rule = rules.find(({ Targets }) => JSON.stringify(Targets).includes(arn));
    expect(rule).toMatchObject({ ScheduleExpression: rate(everyMinutes), State: 'ENABLED' });
  });

  test('only jobs that are configured to run after a deployment do, without blocking it', () => {
    const triggered = stack
      .all('Custom::Trigger')
      .map(({ HandlerArn, InvocationType }) => [
        stack.resource(HandlerArn.Ref).Properties.FunctionName,
        InvocationType,
      ]);
    const eager = [...JOBS.filter(({ afterDeployment }) => afterDeployment), FIRST_OPERATOR];
    expect(new Set(triggered)).toEqual(
      new Set(eager.map(({ id }) => [{ Ref: stack.functionOf(id).logicalId }, 'Event'])),
    );
  });

  test.each(['vault-rotate', FIRST_OPERATOR.id])(
    '%s, which runs after a deployment, has its rights by then',
    (id) => {
      const { resource } = stack.functionOf(id);
      const policies = (resource.DependsOn ?? []).map((id) => stack.resource(id).Type);
      expect(policies).toContain('AWS::IAM::Policy');
    },
  );
});
