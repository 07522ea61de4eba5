import { isRead } from '../../../contract/endpoint.ts';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { type Json, joined, otherwise, synthesize, varied } from '../stack.ts';

const READS = ENDPOINTS.filter(isRead).map(({ id }) => id);

const stack = synthesize();

const shiftOf = (synthesized: typeof stack, id: string) =>
  synthesized.aliasOf(id).UpdatePolicy?.CodeDeployLambdaAliasUpdate;

const versionOf = (synthesized: typeof stack, id: string): string =>
  synthesized.aliasOf(id).Properties.FunctionVersion['Fn::GetAtt'][0];

test('only the endpoints for applications have versions in service', () => {
  const functions = stack.all('AWS::Lambda::Alias').map(({ FunctionName }) => FunctionName.Ref);
  expect(functions).toEqual(READS.map((id) => stack.functionOf(id).logicalId));
});

describe.each(READS)('%s', (id) => {
  const group = stack.resource(shiftOf(stack, id)?.DeploymentGroupName.Ref ?? '').Properties;

  test('shifts a tenth of its calls to a new version, and the others five minutes later', () => {
    expect(JSON.stringify(group.DeploymentConfigName)).toContain(
      'CodeDeployDefault.LambdaCanary10Percent5Minutes',
    );
  });

  test('returns to its former version if the alarm of the API fires', () => {
    const { Outputs } = stack.monitoring.template.toJSON();
    const names = group.AlarmConfiguration.Alarms.map(({ Name }: Json) => {
      const output = Name['Fn::GetAtt'][1].replace('Outputs.', '');
      return stack.monitoring.resource(Outputs[output].Value.Ref).Properties.AlarmName;
    });
    expect(names).toEqual(['cuevault-prod-api-server-errors']);
    expect(group.AutoRollbackConfiguration).toMatchObject({
      Enabled: true,
      Events: expect.arrayContaining(['DEPLOYMENT_STOP_ON_ALARM']),
    });
  });

  test('a setting that the function reads makes a new version of the same alias', () => {
    const changed = synthesize({ signingKeys: '1,2' });
    expect(changed.aliasOf(id).logicalId).toBe(stack.aliasOf(id).logicalId);
    expect(versionOf(changed, id)).not.toBe(versionOf(stack, id));
  });

  test('settings that it does not read leave its version in service', () => {
    expect(versionOf(varied(), id)).toBe(versionOf(stack, id));
  });
});

test('CodeDeploy may move the aliases of these functions only', () => {
  const role =
    stack
      .all('AWS::IAM::Role')
      .find(({ AssumeRolePolicyDocument: policy }) => JSON.stringify(policy).includes('codedeploy')) ?? {};
  expect(role).not.toHaveProperty('ManagedPolicyArns');
  const [moving, ...others] = role.Policies[0].PolicyDocument.Statement;
  const arns = READS.map((id) => stack.arnOf(id));
  const aliases = arns.map((arn) => joined(arn, ':live'));
  expect(new Set(moving.Resource)).toEqual(new Set([...arns, ...aliases]));
  expect(others.map(({ Action }: Json) => Action)).toEqual(['cloudwatch:DescribeAlarms']);
});

test('without gradual deployment, the same aliases move at once', () => {
  const immediate = otherwise();
  for (const id of READS) {
    expect(immediate.aliasOf(id).logicalId).toBe(stack.aliasOf(id).logicalId);
    expect(shiftOf(immediate, id)).toBeUndefined();
  }
  immediate.template.resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 0);
});
