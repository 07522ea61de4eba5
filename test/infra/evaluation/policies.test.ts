import { type AccessRequest, evaluate, evaluateUse, type Statement } from '../../support/iam/policies.ts';

const TABLE = 'arn:aws:dynamodb:local:000000000000:table/t';
const KEY = 'arn:aws:kms:local:000000000000:key/k';
const ROLE = 'arn:aws:iam::000000000000:role/Reader';
const OTHER = 'arn:aws:iam::000000000000:role/Other';
const ACCOUNT = 'arn:aws:iam::000000000000:root';

const request: AccessRequest = { action: 'dynamodb:GetItem', resource: TABLE, context: {} };
const statement = (rest: Partial<Statement>): Statement => ({
  Effect: 'Allow',
  Action: 'dynamodb:GetItem',
  Resource: TABLE,
  ...rest,
});
const without = (name: keyof Statement, rest: Partial<Statement>): Statement => {
  const { [name]: _, ...kept } = statement(rest);
  return kept as Statement;
};

test.each<[string, Statement[], string]>([
  ['nothing allows', [], 'implicit-deny'],
  ['the exact action and resource', [statement({})], 'allowed'],
  ['one of several actions', [statement({ Action: ['dynamodb:Query', 'dynamodb:GetItem'] })], 'allowed'],
  ['another action', [statement({ Action: 'dynamodb:PutItem' })], 'implicit-deny'],
  ['a wildcard in the action, whatever its case', [statement({ Action: 'DynamoDB:get*' })], 'allowed'],
  ['a prefix of the action', [statement({ Action: 'dynamodb:Get' })], 'implicit-deny'],
  ['any resource', [statement({ Resource: '*' })], 'allowed'],
  ['a wildcard in the resource', [statement({ Resource: 'arn:aws:dynamodb:*:*:table/*' })], 'allowed'],
  ['the index of the table', [statement({ Resource: `${TABLE}/index/*` })], 'implicit-deny'],
  [
    'a condition that fails',
    [statement({ Condition: { Null: { 'dynamodb:LeadingKeys': 'false' } } })],
    'implicit-deny',
  ],
  ['a Deny beside an Allow', [statement({}), statement({ Effect: 'Deny' })], 'explicit-deny'],
  ['a Deny before an Allow', [statement({ Effect: 'Deny' }), statement({})], 'explicit-deny'],
  ['a Deny of something else', [statement({}), statement({ Effect: 'Deny', Action: 'kms:*' })], 'allowed'],
])('%s', (_, statements, expected) => {
  expect(evaluate(statements, request)).toBe(expected);
});

test.each<[string, Statement]>([
  ['an unknown effect', statement({ Effect: 'allow' })],
  ['an unknown element', { ...statement({}), NotPrincipal: '*' } as Statement],
  ['no Resource', without('Resource', {})],
  ['a principal by name alone', statement({ Principal: 'Reader' })],
  ['a principal of an unknown kind', statement({ Principal: { Robot: ROLE } })],
  ['a resource that is no ARN', statement({ Resource: 't' })],
])('%s throws', (_, broken) => {
  expect(() => evaluate([broken], request, [ROLE])).toThrow();
});

const decrypt: AccessRequest = {
  action: 'kms:Decrypt',
  resource: KEY,
  context: { 'aws:PrincipalArn': ROLE },
};
const onKey = (Principal: NonNullable<Statement['Principal']>, rest: Partial<Statement> = {}): Statement =>
  statement({ Action: 'kms:*', Resource: '*', Principal, ...rest });
const toAccount = onKey({ AWS: ACCOUNT });
const granted = statement({ Action: 'kms:Decrypt', Resource: KEY });
const denyAllBut = (role: string) =>
  onKey('*', { Effect: 'Deny', Condition: { ArnNotEquals: { 'aws:PrincipalArn': [role] } } });

test.each<[string, Statement[], Statement[], string]>([
  ['the key policy names the role', [onKey({ AWS: [OTHER, ROLE] })], [], 'allowed'],
  ['the key policy names another role', [onKey({ AWS: OTHER })], [granted], 'implicit-deny'],
  ['the key policy allows everyone', [onKey({ AWS: '*' })], [], 'allowed'],
  ['the key policy names a service', [onKey({ Service: 'logs.amazonaws.com' })], [granted], 'implicit-deny'],
  ['the account, and the role is granted it', [toAccount], [granted], 'allowed'],
  ['the account, and the role is not granted it', [toAccount], [], 'implicit-deny'],
  ['a key without a policy', [], [granted], 'implicit-deny'],
  ['a Deny for everyone else', [toAccount, denyAllBut(ROLE)], [granted], 'allowed'],
  ['a Deny for everyone but another', [toAccount, denyAllBut(OTHER)], [granted], 'explicit-deny'],
  [
    'a Deny for the account',
    [toAccount, onKey({ AWS: ACCOUNT }, { Effect: 'Deny' })],
    [granted],
    'explicit-deny',
  ],
  ['a Deny of the role itself', [onKey({ AWS: ROLE })], [{ ...granted, Effect: 'Deny' }], 'explicit-deny'],
])('using a key: %s', (_, resource, identity, expected) => {
  expect(evaluateUse({ resource, identity, role: ROLE, account: ACCOUNT }, decrypt)).toBe(expected);
});
