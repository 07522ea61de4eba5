import { requestsOf } from '../../../local/iam/requests.ts';

const TABLE = 'arn:aws:dynamodb:local:000000000000:table/t';
const KEY = 'arn:aws:kms:local:000000000000:key/k';

/** Each request as "action resource-after-the-table leading keys". */
const asked = (operation: string, body: object) =>
  requestsOf(`DynamoDB_20120810.${operation}`, body, KEY).map(({ action, resource, context }) =>
    [action, resource.replace(TABLE, '~'), ...(context['dynamodb:LeadingKeys'] ?? [])].join(' '),
  );

const on = { TableName: 't' };
const Key = { pk: { S: 'A#1' }, sk: { S: 'x' } };
const Item = { ...Key, note: { S: 'pk' } };

test.each<[string, object, string[]]>([
  ['GetItem', { ...on, Key }, ['dynamodb:GetItem ~ A#1']],
  ['DeleteItem', { ...on, Key }, ['dynamodb:DeleteItem ~ A#1']],
  ['UpdateItem', { ...on, Key }, ['dynamodb:UpdateItem ~ A#1']],
  ['PutItem', { ...on, Item }, ['dynamodb:PutItem ~ A#1']],
  ['PutItem', { TableName: TABLE, Item }, ['dynamodb:PutItem ~ A#1']],
  ['Scan', on, ['dynamodb:Scan ~']],
  ['Scan', { ...on, IndexName: 'gsi1' }, ['dynamodb:Scan ~/index/gsi1']],
  ['DescribeTable', on, ['dynamodb:DescribeTable ~']],
  ['ListTables', {}, ['dynamodb:ListTables *']],
])('%s asks for one action on the table, with its leading key', (operation, body, expected) => {
  expect(asked(operation, body)).toEqual(expected);
});

test('CloudWatch has no resources', () => {
  expect(requestsOf('GraniteServiceVersion20100801.GetMetricData', {}, KEY)).toEqual([
    { action: 'cloudwatch:GetMetricData', resource: '*', context: {} },
  ]);
});

test('a batch asks once for each table, with every leading key', () => {
  const RequestItems = { t: { Keys: [Key, { ...Key, pk: { S: 'B' } }] }, u: { Keys: [Key] } };
  expect(asked('BatchGetItem', { RequestItems })).toEqual([
    'dynamodb:BatchGetItem ~ A#1 B',
    `dynamodb:BatchGetItem ${TABLE.replace(/t$/, 'u')} A#1`,
  ]);
  const writes = { t: [{ PutRequest: { Item } }, { DeleteRequest: { Key: { pk: { S: 'B' } } } }] };
  expect(asked('BatchWriteItem', { RequestItems: writes })).toEqual(['dynamodb:BatchWriteItem ~ A#1 B']);
});

test('a transaction asks for what each of its parts would', () => {
  const part = (pk: string) => ({ ...on, Key: { pk: { S: pk } } });
  const TransactItems = [
    { Put: { ...on, Item } },
    { Update: part('B') },
    { Delete: part('C') },
    { ConditionCheck: part('D') },
  ];
  expect(asked('TransactWriteItems', { TransactItems })).toEqual([
    'dynamodb:PutItem ~ A#1',
    'dynamodb:UpdateItem ~ B',
    'dynamodb:DeleteItem ~ C',
    'dynamodb:ConditionCheckItem ~ D',
  ]);
  expect(asked('TransactGetItems', { TransactItems: [{ Get: part('E') }] })).toEqual([
    'dynamodb:GetItem ~ E',
  ]);
});

const values = { ':a': { S: 'A' }, ':b': { S: 'B' } };
const names = { '#p': 'pk', '#s': 'sk' };

test.each<[string, object, string[]]>([
  ['pk = :a', {}, ['dynamodb:Query ~ A']],
  ['pk=:a AND begins_with(sk, :b)', {}, ['dynamodb:Query ~ A']],
  ['(#s = :b) and (#p = :a)', {}, ['dynamodb:Query ~ A']],
  ['pk = :a AND sk >= :b', {}, ['dynamodb:Query ~ A']],
  ['pk = :a AND pk = :b', {}, ['dynamodb:Query ~ A B']],
  ['sk = :a', {}, ['dynamodb:Query ~']],
  ['gsi1pk = :b', { IndexName: 'gsi1' }, ['dynamodb:Query ~/index/gsi1 B']],
  ['pk = :a', { IndexName: 'gsi1' }, ['dynamodb:Query ~/index/gsi1']],
])('a query where %s (%j) is authorized by its partition key', (expression, rest, expected) => {
  const query = {
    ...on,
    ...rest,
    KeyConditionExpression: expression,
    ExpressionAttributeValues: values,
    ExpressionAttributeNames: names,
  };
  expect(asked('Query', query)).toEqual(expected);
});

test('a KMS call requests its key with its encryption context', () => {
  const body = { KeyId: 'k', EncryptionContext: { stage: 'local', purpose: 'vault' } };
  const context = {
    'kms:EncryptionContextKeys': ['stage', 'purpose'],
    'kms:EncryptionContext:stage': 'local',
    'kms:EncryptionContext:purpose': 'vault',
  };
  expect(requestsOf('TrentService.Decrypt', body, KEY)).toEqual([
    { action: 'kms:Decrypt', resource: KEY, context },
  ]);
  expect(requestsOf('TrentService.Decrypt', {}, KEY)).toMatchObject([{ resource: KEY }]);
  expect(requestsOf('TrentService.Decrypt', { KeyId: 'other' }, KEY)).not.toMatchObject([{ resource: KEY }]);
});

test('PartiQL is rejected: it is not supported', () => {
  expect(() => asked('ExecuteStatement', { Statement: 'SELECT * FROM t' })).toThrow();
});
