import { readTemplate } from '../../support/iam/template.ts';

const VAULT_KEY = 'arn:aws:kms:local:000000000000:key/k-1';
const KEYS = { arns: { VaultKey: VAULT_KEY }, publicKey: 'cHVibGlj' };
const att = (id: string, name = 'Arn') => ({ 'Fn::GetAtt': [id, name] });
const join = (...parts: unknown[]) => ({ 'Fn::Join': ['', parts] });
const policy = (...Statement: object[]) => ({ Version: '2012-10-17', Statement });
const statement = (Action: string, Resource: unknown) => ({ Effect: 'Allow', Action, Resource });

const ROOT = {
  AWS: join('arn:', { Ref: 'AWS::Partition' }, ':iam::', { Ref: 'AWS::AccountId' }, ':root'),
};
const LOGGING = {
  'Fn::Sub': `arn:\${AWS::Partition}:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole`,
};

const template = () => ({
  Parameters: { Level: { Type: 'String', Default: 'info' } },
  Resources: {
    Table: { Type: 'AWS::DynamoDB::GlobalTable', Properties: {} },
    VaultKey: {
      Type: 'AWS::KMS::Key',
      Properties: { KeyPolicy: policy({ Effect: 'Allow', Action: 'kms:*', Resource: '*', Principal: ROOT }) },
    },
    PublicKey: { Type: 'Custom::CuevaultPublicKey', Properties: {} },
    ReaderRole: {
      Type: 'AWS::IAM::Role',
      Properties: {
        ManagedPolicyArns: [LOGGING],
        Policies: [{ PolicyDocument: policy(statement('dynamodb:GetItem', att('Table'))) }],
      } as Record<string, unknown>,
    },
    ReaderPolicy: {
      Type: 'AWS::IAM::Policy',
      Properties: {
        Roles: [{ Ref: 'ReaderRole' }],
        PolicyDocument: policy(statement('dynamodb:Query', join(att('Table'), '/index/gsi1'))),
      },
    },
    OtherPolicy: {
      Type: 'AWS::IAM::Policy',
      Properties: {
        Roles: [{ Ref: 'OtherRole' }],
        PolicyDocument: policy(statement('dynamodb:*', { 'Fn::ImportValue': 'elsewhere' })),
      },
    },
    OtherRole: { Type: 'AWS::IAM::Role', Properties: {} },
    Reader: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Role: att('ReaderRole'),
        Environment: {
          Variables: {
            CUEVAULT_OPERATION: 'vault-get-secrets',
            CUEVAULT_ORIGIN_SECRETS: { Ref: 'Level' },
            TABLE: { Ref: 'Table' },
            KEY: { Ref: 'VaultKey' },
            KEY_ARN: att('VaultKey'),
            PUBLIC_KEY: att('PublicKey', 'PublicKey'),
            WHERE: {
              'Fn::Sub': [`\${AWS::Region}/\${Table.Arn}/\${own}/\${!plain}`, { own: { Ref: 'Level' } }],
            },
          } as Record<string, unknown>,
        },
      },
    },
    Helper: { Type: 'AWS::Lambda::Function', Properties: { Role: att('OtherRole') } },
  },
});

test('a function has its settings, and its environment is resolved to the local stand-ins, without what only CloudFront sends', () => {
  const { functions } = readTemplate(template(), KEYS);
  const table = 'arn:aws:dynamodb:local:000000000000:table/cuevault-local';
  expect(functions).toMatchObject([
    {
      operationId: 'vault-get-secrets',
      roleArn: 'arn:aws:iam::000000000000:role/ReaderRole',
      environment: {
        TABLE: 'cuevault-local',
        KEY: 'k-1',
        KEY_ARN: VAULT_KEY,
        PUBLIC_KEY: 'cHVibGlj',
        WHERE: `local/${table}/info/\${plain}`,
      },
    },
  ]);
  expect(functions[0]?.environment).not.toHaveProperty('CUEVAULT_ORIGIN_SECRETS');
});

test('the statements of a function are those of every policy of its role and of no other', () => {
  const table = 'arn:aws:dynamodb:local:000000000000:table/cuevault-local';
  expect(readTemplate(template(), KEYS).functions[0]?.statements).toEqual([
    { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: table },
    { Effect: 'Allow', Action: 'dynamodb:Query', Resource: `${table}/index/gsi1` },
  ]);
});

test('the policy of the key names the account', () => {
  expect(readTemplate(template(), KEYS).resourcePolicies[VAULT_KEY]).toEqual([
    {
      Effect: 'Allow',
      Action: 'kms:*',
      Resource: '*',
      Principal: { AWS: 'arn:aws:iam::000000000000:root' },
    },
  ]);
});

test('a value that cannot be resolved is rejected, not guessed', () => {
  const { Resources } = template();
  const role = (Properties: object) => ({
    Resources: { ...Resources, ReaderRole: { Type: 'AWS::IAM::Role', Properties } },
  });
  const variable = (value: unknown) => {
    const changed = template();
    changed.Resources.Reader.Properties.Environment.Variables.X = value;
    return changed;
  };
  const { VaultKey: _, ...withoutKey } = Resources;
  for (const broken of [
    role({ ManagedPolicyArns: ['arn:aws:iam::aws:policy/AdministratorAccess'] }),
    role({ PermissionsBoundary: 'arn:aws:iam::000000000000:policy/Boundary' }),
    variable({ Ref: 'Absent' }),
    variable(att('Absent')),
    variable({ 'Fn::Select': [0, ['a']] }),
    { Resources: withoutKey },
  ])
    expect(() => readTemplate(broken, KEYS)).toThrow();
});
