import { accessesOf, judge } from '../../../local/functions/accesses.ts';

/** Each access as "action thing". */
const asked = (operation: string, body: object) =>
  accessesOf(`DynamoDB_20120810.${operation}`, body).map(({ action, on }) => `${action} ${on}`);

const on = { TableName: 't' };
const Key = { pk: { S: 'A#1' }, sk: { S: 'x' } };
const Item = { ...Key, note: { S: 'pk' } };

test.each<[string, object, string[]]>([
  ['GetItem', { ...on, Key }, ['dynamodb:GetItem A#1']],
  ['DeleteItem', { ...on, Key }, ['dynamodb:DeleteItem A#1']],
  ['UpdateItem', { ...on, Key }, ['dynamodb:UpdateItem A#1']],
  ['PutItem', { ...on, Item }, ['dynamodb:PutItem A#1']],
  ['Scan', on, ['dynamodb:Scan ']],
  ['ExecuteStatement', { Statement: 'SELECT * FROM t' }, ['dynamodb:ExecuteStatement ']],
  ['BatchWriteItem', { RequestItems: { t: [{ PutRequest: { Item } }] } }, ['dynamodb:BatchWriteItem ']],
])('%s asks for one action, on the partition of its item', (operation, body, expected) => {
  expect(asked(operation, body)).toEqual(expected);
});

test('a batch and a transaction ask for what each of their items would', () => {
  const RequestItems = { t: { Keys: [Key, { ...Key, pk: { S: 'B' } }] } };
  expect(asked('BatchGetItem', { RequestItems })).toEqual([
    'dynamodb:BatchGetItem A#1',
    'dynamodb:BatchGetItem B',
  ]);
  const part = (pk: string) => ({ ...on, Key: { pk: { S: pk } } });
  const TransactItems = [
    { Put: { ...on, Item } },
    { Update: part('B') },
    { Delete: part('C') },
    { ConditionCheck: part('D') },
    { Unknown: part('E') },
  ];
  expect(asked('TransactWriteItems', { TransactItems })).toEqual([
    'dynamodb:PutItem A#1',
    'dynamodb:UpdateItem B',
    'dynamodb:DeleteItem C',
    'dynamodb:ConditionCheckItem D',
    'dynamodb:Unknown E',
  ]);
  expect(asked('TransactGetItems', { TransactItems: [{ Get: part('E') }] })).toEqual(['dynamodb:GetItem E']);
});

test.each<[string, object, string[]]>([
  ['pk = :a', {}, ['dynamodb:Query A']],
  ['pk=:a AND begins_with(sk, :b)', {}, ['dynamodb:Query A']],
  ['(#s = :b) and (#p = :a)', {}, ['dynamodb:Query A']],
  ['pk = :a AND sk >= :b', {}, ['dynamodb:Query A']],
  ['sk = :a', {}, ['dynamodb:Query ']],
  ['gsi1pk = :b', { IndexName: 'gsi1' }, ['dynamodb:Query index B']],
  ['pk = :a', { IndexName: 'gsi1' }, ['dynamodb:Query index ']],
])('a query where %s (%j) asks for its partition', (KeyConditionExpression, rest, expected) => {
  const ExpressionAttributeValues = { ':a': { S: 'A' }, ':b': { S: 'B' } };
  const ExpressionAttributeNames = { '#p': 'pk', '#s': 'sk' };
  const query = { KeyConditionExpression, ExpressionAttributeValues, ExpressionAttributeNames };
  expect(asked('Query', { ...on, ...rest, ...query })).toEqual(expected);
});

test.each([
  ['an entire key', 'VAULT', 'VAULT', true],
  ['a key that begins like an entire one', 'VAULT', 'VAULTKEY', false],
  ['a key with a granted prefix', 'PROMPT#*', 'PROMPT#1', true],
  ['a key with another prefix', 'PROMPT#*', 'PROMPT-PURGE', false],
  ['a key that cannot be read', 'PROMPT#*', '', false],
])('%s: %s covers %j is %s', (_, granted, pk, expected) => {
  const judged = judge({ 'dynamodb:GetItem': [granted] }, 'DynamoDB_20120810.GetItem', {
    Key: { pk: { S: pk } },
  });
  expect('used' in judged).toBe(expected);
});
