import { accessesOf, judge } from '../../../local/functions/accesses.ts';

/** Each access as "action thing". */
const asked = (operation: string, body: object) =>
  accessesOf(`DynamoDB_20120810.${operation}`, body).map(({ action, on }) => `${action} ${on}`);

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
  expect(asked('Query', { TableName: 't', ...rest, ...query })).toEqual(expected);
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
