import { FIRST_OPERATOR } from '../../../contract/functions/triggers.ts';
import { actionsOf, OPERATIONS, otherwise, type Statement, synthesize } from '../stack.ts';

const stack = synthesize();
const ids = OPERATIONS.map(({ id }) => id);
const TABLE_ARN = { 'Fn::GetAtt': ['Table', 'Arn'] };
const INDEX_ARN = { 'Fn::Join': ['', [TABLE_ARN, '/index/gsi1']] };
const EVENT_BUS_ARN = { 'Fn::GetAtt': [expect.stringMatching(/^EventBus/), 'Arn'] };
const VAULT_KEY_ARN = { 'Fn::GetAtt': ['VaultKey', 'Arn'] };
const ROTATE_ARN = { 'Fn::GetAtt': [expect.stringMatching(/^vaultrotateFunction/), 'Arn'] };
const SIGNING_KEY_ARN = { 'Fn::GetAtt': ['SigningKey', 'Arn'] };

const actionsOn = (service: string, operationId: string): string[] =>
  stack
    .functionOf(operationId)
    .statements.flatMap(actionsOf)
    .filter((action) => action.startsWith(`${service}:`))
    .sort();

const onKeys = (operationId: string): Statement[] =>
  stack
    .functionOf(operationId)
    .statements.filter((statement) => actionsOf(statement).some((action) => action.startsWith('kms:')));

const isOn =
  (arn: unknown) =>
  ({ Resource }: Statement): boolean =>
    JSON.stringify(Resource) === JSON.stringify(arn);

describe('the signing key', () => {
  const signsWith = (id: string) => onKeys(id).filter(isOn(SIGNING_KEY_ARN));

  const signers = ids.filter((id) => signsWith(id).flatMap(actionsOf).includes('kms:Sign'));

  test('only functions that write to the table can sign, and the one that revokes API keys cannot', () => {
    const writers = ids.filter((id) =>
      actionsOn('dynamodb', id).some((action) => /(Put|Update)Item/.test(action)),
    );
    expect(signers.filter((id) => !writers.includes(id))).toEqual([]);
    expect(signers).not.toContain('keys-revoke');
  });

  test.each(signers)('%s may only sign with it, with one algorithm', (id) => {
    expect(signsWith(id)).toEqual([
      {
        Effect: 'Allow',
        Action: 'kms:Sign',
        Resource: SIGNING_KEY_ARN,
        Condition: {
          StringEquals: { 'kms:SigningAlgorithm': 'ECDSA_SHA_256', 'kms:MessageType': 'RAW' },
        },
      },
    ]);
  });

  test('public-key may fetch its public key', () => {
    expect(signsWith('public-key').flatMap(actionsOf)).toEqual(['kms:GetPublicKey']);
  });
});

describe('the vault key', () => {
  const KMS_ACTIONS: Record<string, string[]> = {
    'vault-get-secrets': ['kms:Decrypt'],
    'backup-adopt-keys': ['kms:Decrypt'],
    'backup-reencrypt': ['kms:Decrypt'],
    'vault-rotate': ['kms:Decrypt', 'kms:GenerateDataKeyPairWithoutPlaintext'],
  };

  test.each(ids)('%s may perform exactly its own actions on it, or none', (id) => {
    const actions = onKeys(id).filter(isOn(VAULT_KEY_ARN)).flatMap(actionsOf);
    expect(actions.sort()).toEqual(KMS_ACTIONS[id] ?? []);
  });

  test.each(Object.keys(KMS_ACTIONS))(
    '%s may use it only from its own code, with the context of the vault',
    (id) => {
      const statements = onKeys(id).filter(isOn(VAULT_KEY_ARN));
      expect(statements).not.toEqual([]);
      for (const { Condition } of statements) {
        expect(Condition).toEqual({
          StringEquals: {
            'kms:EncryptionContext:service': 'cuevault',
            'kms:EncryptionContext:stage': 'prod',
            'kms:EncryptionContext:purpose': 'vault',
          },
          ArnEquals: {
            'lambda:SourceFunctionArn': { 'Fn::GetAtt': [stack.functionOf(id).logicalId, 'Arn'] },
          },
        });
      }
    },
  );

  test('the context contains the stage of the deployment', () => {
    const dev = otherwise().functionOf('vault-get-secrets');
    expect(JSON.stringify(dev.statements)).toContain('"kms:EncryptionContext:stage":"dev"');
  });
});

/** The functions that may use the user pool. */
const MANAGERS: readonly string[] = [
  FIRST_OPERATOR.id,
  ...['operators-list', 'operators-invite', 'operators-update'],
];

test('only the endpoints of operators and the first invitation may use the user pool', () => {
  expect(ids.filter((id) => actionsOn('cognito-idp', id).length > 0).sort()).toEqual([...MANAGERS].sort());
  expect(actionsOn('cognito-idp', 'operators-list')).toEqual([
    'cognito-idp:ListUsers',
    'cognito-idp:ListUsersInGroup',
  ]);
});

/** What a function itself may do. Lambda reads the stream on its behalf (`../functions/consumers.test.ts`). */
const ownStatements = (id: string): Statement[] =>
  stack.functionOf(id).statements.filter((statement) => !/Stream|^s3:/.test(actionsOf(statement)[0] ?? ''));

test('only rotation-start may invoke a function, and only vault-rotate', () => {
  const invoking = ids.filter((id) => actionsOn('lambda', id).length > 0);
  expect(invoking).toEqual(['rotation-start']);
  expect(actionsOn('lambda', 'rotation-start')).toEqual(['lambda:InvokeFunction']);
  expect(onKeys('rotation-start')).toEqual([]);
});

test('only metrics-get may read metrics, and it may do nothing else', () => {
  expect(ids.filter((id) => actionsOn('cloudwatch', id).length > 0)).toEqual(['metrics-get']);
  expect(stack.functionOf('metrics-get').statements.flatMap(actionsOf).sort()).toEqual([
    'cloudwatch:GetMetricData',
    'logs:CreateLogStream',
    'logs:PutLogEvents',
  ]);
});

describe('every function', () => {
  test.each(ids)('%s has no wildcard actions and never scans', (id) => {
    const actions = stack.functionOf(id).statements.flatMap(actionsOf);
    expect(actions.filter((action) => /[*?]|Scan|PartiQL/.test(action))).toEqual([]);
  });

  test.each(ids)(
    '%s has access to nothing but its log, the table, its index, the two keys and, to manage operators, the user pool, to start a rotation, its job, and to read metrics, these',
    (id) => {
      const log = {
        'Fn::GetAtt': [expect.stringMatching(new RegExp(`^${id.replaceAll('-', '')}Log`)), 'Arn'],
      };
      const pool = MANAGERS.includes(id) ? { 'cognito-idp': { 'Fn::GetAtt': ['Operators', 'Arn'] } } : {};
      const own: Record<string, unknown> = {
        logs: log,
        dynamodb: TABLE_ARN,
        kms: VAULT_KEY_ARN,
        events: EVENT_BUS_ARN,
        ...pool,
        ...(id === 'rotation-start' ? { lambda: ROTATE_ARN } : {}),
        ...(id === 'metrics-get' ? { cloudwatch: '*' } : {}),
      };
      const statements = ownStatements(id).filter((each) => !isOn(SIGNING_KEY_ARN)(each));
      for (const { Action, Resource } of statements) {
        const service = String([Action].flat()[0]).split(':')[0] ?? '';
        const isOfIndex = service === 'dynamodb' && JSON.stringify(Resource).includes('/index/');
        expect(Resource).toEqual(isOfIndex ? INDEX_ARN : own[service]);
        if (isOfIndex) expect(Action).toBe('dynamodb:Query');
      }
      expect(actionsOn('logs', id)).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents']);
    },
  );

  test.each(ids)('%s can access the table only by explicit leading keys', (id) => {
    const onTable = ownStatements(id).filter((s) => actionsOf(s)[0]?.startsWith('dynamodb:'));
    for (const { Condition } of onTable) {
      expect(Object.keys(Condition ?? {})).toEqual(['ForAllValues:StringLike', 'Null']);
      expect(Condition?.Null).toEqual({ 'dynamodb:LeadingKeys': 'false' });
      const patterns = Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'];
      expect(patterns).not.toEqual([]);
      for (const pattern of patterns as string[]) expect(pattern).toMatch(/^[A-Z-]+(#\*)?$/);
    }
  });
});
