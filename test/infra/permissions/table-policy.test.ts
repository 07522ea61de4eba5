import { TABLE_NAME } from '../../../local/aws/account.ts';
import { roleArn, tableArn } from '../../support/iam/arns.ts';
import { denialOf } from '../../support/iam/guard.ts';
import { evaluate, type Statement } from '../../support/iam/policies.ts';
import { OPERATIONS, synthesize } from '../stack.ts';
import { readTemplate } from './resolved.ts';

const REPLICATION =
  'arn:aws:iam::000000000000:role/aws-service-role/replication.dynamodb.amazonaws.com/AWSServiceRoleForDynamoDBReplication';

const { functions, resourcePolicies } = readTemplate(synthesize());
const TABLE = tableArn(TABLE_NAME);

const item = { pk: { S: 'PROMPT#1' }, sk: { S: 'HEAD' } };
const CALLS: Record<string, object> = {
  PutItem: { TableName: TABLE, Item: item },
  UpdateItem: { TableName: TABLE_NAME, Key: item },
  DeleteItem: { TableName: TABLE_NAME, Key: item },
  BatchWriteItem: { RequestItems: { [TABLE_NAME]: [{ DeleteRequest: { Key: item } }] } },
  TransactWriteItems: { TransactItems: [{ Put: { TableName: TABLE_NAME, Item: item } }] },
};
const PARTIQL = ['PartiQLInsert', 'PartiQLUpdate', 'PartiQLDelete'];

const allowing = (Action: string, Resource = '*'): Statement => ({ Effect: 'Allow', Action, Resource });
const principals = {
  administrator: { roleArn: roleArn('aws-reserved/sso.amazonaws.com/Admin'), statements: [allowing('*')] },
  'power user': { roleArn: 'arn:aws:iam::000000000000:user/ada', statements: [allowing('dynamodb:*')] },
  'foreign function': { roleArn: roleArn('Other'), statements: [allowing('dynamodb:*', TABLE)] },
  'role named like one of the stack': { roleArn: roleArn('promptscreateRole2'), statements: [allowing('*')] },
  'account root': { roleArn: 'arn:aws:iam::000000000000:root', statements: [allowing('*')] },
};

describe.each(Object.entries(principals))('to %s, the table denies', (operationId, principal) => {
  const caller = { ...principal, operationId, functionArn: '' };

  test.each(Object.keys(CALLS))('%s', (operation) => {
    const denial = denialOf(caller, resourcePolicies, `DynamoDB_20120810.${operation}`, CALLS[operation]);
    expect(denial).toContain('explicit-deny');
  });

  test('but no read', () => {
    expect(denialOf(caller, resourcePolicies, 'DynamoDB_20120810.GetItem', { Key: item })).toBeUndefined();
  });
});

const isDenied = (role: string, action: string, policies = resourcePolicies): boolean =>
  evaluate(
    policies[TABLE] ?? [],
    { action: `dynamodb:${action}`, resource: TABLE, context: { 'aws:PrincipalArn': role } },
    [role],
  ) === 'explicit-deny';

test('PartiQL writes are denied, too', () => {
  expect(PARTIQL.filter((action) => !isDenied(principals.administrator.roleArn, action))).toEqual([]);
});

const WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);
const isWriter = ({ grants }: (typeof OPERATIONS)[number]): boolean =>
  grants.some((grant) => grant.on === 'table' && grant.actions.some((action) => WRITES.has(action)));

test.each(OPERATIONS.map((operation) => [operation.id, isWriter(operation)] as const))(
  'of the roles of the stack, %s may write: %s',
  (id, writes) => {
    const { roleArn: role = '' } = functions.find(({ operationId }) => operationId === id) ?? {};
    expect([...WRITES].filter((action) => isDenied(role, action))).toEqual(writes ? [] : [...WRITES]);
  },
);

test('the role that DynamoDB replicates with is never denied', () => {
  expect([...WRITES].filter((action) => isDenied(REPLICATION, action))).toEqual([]);
});
