import { TABLE } from '../../contract/table.ts';
import {
  ADDRESSES,
  addressed,
  adopting,
  attribute,
  joined,
  otherwise,
  type Statement,
  synthesize,
  varied,
} from './stack.ts';

const stack = synthesize();

const kept = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
// A failed first deployment does not leave it behind: deletion protection would break the rollback.
const keptOnceCreated = { ...kept, DeletionPolicy: 'RetainExceptOnCreate' };

test('the sign-in domain outlives the stack, and the next stack can keep it', () => {
  expect(stack.resource('SignInDomain')).toMatchObject(kept);
  const { signInPrefix } = ADDRESSES;
  expect(addressed().resource('SignInDomain').Properties.Domain).toBe(signInPrefix);
  expect(JSON.stringify(addressed().template.toJSON())).toContain(`${signInPrefix}.auth.`);
});

test('with the setting "adopt", what outlives the stack refers to nothing else, and nobody may use the keys or write', () => {
  const adopted = adopting();
  for (const id of ['Table', 'VaultKey', 'SigningKey', 'SealedLog', 'Operators']) {
    const { Properties } = adopted.resource(id);
    const references = JSON.stringify(Properties).match(/"(Ref|Fn::GetAtt)":[^}]*/g) ?? [];
    expect(references.filter((reference) => !reference.includes('"AWS::'))).toEqual([]);
  }
  const exceptions = (id: string) =>
    (adopted.resource(id).Properties.KeyPolicy.Statement as Statement[])
      .flatMap(({ Condition }) => Object.values(Condition?.ArnNotEquals ?? {}))
      .flat();
  for (const id of ['VaultKey', 'SigningKey'])
    expect(new Set(exceptions(id))).toEqual(new Set(['arn:aws:iam::000000000000:role/nobody']));
  const [{ ResourcePolicy }] = adopted.resource('Table').Properties.Replicas;
  const writers = JSON.stringify(ResourcePolicy).match(/role\/[\w./-]+/g);
  expect(writers).toEqual(['role/nobody', expect.stringMatching(/^role\/aws-service-role\/replication\./)]);
  const policy = JSON.stringify(adopted.resource('SealedLogPolicy').Properties);
  const objects = /\{"Fn::GetAtt":\["SealedLog","Arn"\]\}|\{"Ref":"SealedLog"\}/g;
  expect(policy).toContain('"aws:PrincipalArn":["arn:aws:iam::000000000000:role/nobody"]');
  expect(policy.replaceAll(objects, '')).not.toMatch(/Ref|Fn::GetAtt/);
  expect(adopted.resource('SignInDomain').Properties.UserPoolId).toEqual({ Ref: 'Operators' });
});

test('the table and the user pool cannot be deleted by accident, and the table can be restored to any second', () => {
  expect(stack.resource('Operators').Properties.DeletionProtection).toBe('ACTIVE');
  expect(stack.resource('Table').Properties.Replicas).toEqual([
    {
      Region: { Ref: 'AWS::Region' },
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      Tags: [{ Key: 'cuevault:stage', Value: 'prod' }],
      GlobalSecondaryIndexes: [{ IndexName: TABLE.index.name }],
      // Its statement is evaluated in `permissions/table-policy.test.ts`.
      ResourcePolicy: expect.anything(),
    },
  ]);
});

describe('the policy of the vault key', () => {
  const { KeyPolicy } = stack.resource('VaultKey').Properties;
  const roleOf = (id: string) => stack.functionOf(id).resource.Properties.Role;
  const refusal = (action: string | string[], ...roles: string[]) => ({
    Effect: 'Deny',
    Principal: { AWS: '*' },
    Action: action,
    Resource: '*',
    ...(roles.length === 0 ? {} : { Condition: { ArnNotEquals: { 'aws:PrincipalArn': roles.map(roleOf) } } }),
  });

  test('denies decryption to everyone but the reader, the rotation, two commands of the backup, and who asks for a value', () => {
    const roles = [
      ...['vault-rotate', 'vault-get-secrets', 'vault-who-has'],
      ...['backup-reencrypt', 'backup-adopt-keys', 'who-has'],
    ];
    expect(KeyPolicy.Statement).toContainEqual(refusal('kms:Decrypt', ...roles));
  });

  test('denies new key pairs to everyone but the rotation', () => {
    expect(KeyPolicy.Statement).toContainEqual(refusal('kms:GenerateDataKey*', 'vault-rotate'));
  });

  test('allows only administration by the account', () => {
    const allowed = KeyPolicy.Statement.filter(({ Effect }: Statement) => Effect === 'Allow');
    expect(allowed).toHaveLength(1);
    expect(JSON.stringify(allowed[0]?.Principal)).toMatch(/AWS::AccountId.*:root/);
  });
});

describe('the bucket of the sealed log', () => {
  const bucket = stack.resource('SealedLog');
  const DAYS = 400;

  test('keeps each object for as long as audit entries, from everyone, and outlives the stack', () => {
    expect(bucket).toMatchObject(keptOnceCreated);
    expect(bucket.Properties).toMatchObject({
      ObjectLockEnabled: true,
      ObjectLockConfiguration: { Rule: { DefaultRetention: { Mode: 'COMPLIANCE', Days: DAYS } } },
      VersioningConfiguration: { Status: 'Enabled' },
    });
    expect(bucket.Properties).not.toHaveProperty('BucketName');
  });

  test('can be emptied by an administrator unless the deployment is one of production, whatever its stage is called', () => {
    const modeOf = (synthesized: typeof stack) =>
      JSON.stringify(synthesized.resource('SealedLog').Properties).match(/"Mode":"\w+"/)?.[0];
    expect(modeOf(otherwise())).toBe('"Mode":"GOVERNANCE"');
    expect(modeOf(varied())).toBe('"Mode":"GOVERNANCE"');
    expect(modeOf(addressed())).toBe('"Mode":"COMPLIANCE"');
  });

  test('gets its first object after the admin site is deployed, so that a failed first deployment leaves none', () => {
    const [, schedule] =
      Object.entries(stack.resources('AWS::Events::Rule')).find(([id]) => id.startsWith('auditseal')) ?? [];
    const types = (schedule?.DependsOn ?? []).map((id) => stack.resource(id).Type);
    expect(types).toContain('Custom::CDKBucketDeployment');
  });

  const policy = stack.all('AWS::S3::BucketPolicy').find(({ Bucket }) => Bucket.Ref === 'SealedLog');
  const statements = policy?.PolicyDocument.Statement;

  test('takes objects only from the job, and only under new names', () => {
    const objects = joined(attribute('SealedLog'), '/*');
    const denied = { Effect: 'Deny', Principal: { AWS: '*' }, Action: 's3:PutObject', Resource: objects };
    const role = stack.functionOf('audit-seal').resource.Properties.Role;
    expect(statements).toContainEqual({
      ...denied,
      Condition: { ArnNotEquals: { 'aws:PrincipalArn': [role] } },
    });
    expect(statements).toContainEqual({ ...denied, Condition: { Null: { 's3:if-none-match': 'true' } } });
  });

  test('denies everyone to delete or hide objects, and to replicate them into it', () => {
    const objects = [
      'DeleteObject',
      'DeleteObjectVersion',
      'ReplicateDelete',
      'ReplicateObject',
      'ReplicateTags',
    ];
    const Action = objects.map((name) => `s3:${name}`);
    expect(statements).toContainEqual(expect.objectContaining({ Effect: 'Deny', Action }));
    expect(statements).toContainEqual({
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Action: 's3:PutReplicationConfiguration',
      Resource: attribute('SealedLog'),
    });
  });
});
