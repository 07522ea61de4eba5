import { KEY_ARNS } from '../../../local/aws/account.ts';
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

const item = (pk: string) => ({ pk: { S: pk } });
const batch = (...keys: string[]) => ({ RequestItems: { t: { Keys: keys.map(item) } } });
const transaction = (updated: string) => ({
  TransactItems: [{ Put: { Item: item('PROMPT#1') } }, { Update: { Key: item(updated) } }],
});
const query = (KeyConditionExpression: string, pk: string, IndexName?: string) => ({
  KeyConditionExpression,
  IndexName,
  ExpressionAttributeValues: { ':value': { S: pk } },
});
const GRANTED = {
  'dynamodb:GetItem': ['VAULT', 'PROMPT#*'],
  'dynamodb:BatchGetItem': ['PROMPT#*'],
  'dynamodb:PutItem': ['PROMPT#*'],
  'dynamodb:UpdateItem': ['USE#*'],
  'dynamodb:Query': ['PROMPT#*'],
  'dynamodb:Query index': ['DRAFTS'],
  'kms:Decrypt': [KEY_ARNS.VaultKey],
  'lambda:InvokeFunction': ['job'],
  's3:PutObject': ['log'],
};

test.each<[string, string, object, boolean]>([
  ['an entire key', 'DynamoDB_20120810.GetItem', { Key: item('VAULT') }, true],
  ['a key that begins like an entire one', 'DynamoDB_20120810.GetItem', { Key: item('VAULTKEY') }, false],
  ['a key with a granted prefix', 'DynamoDB_20120810.GetItem', { Key: item('PROMPT#1') }, true],
  ['a key with another prefix', 'DynamoDB_20120810.GetItem', { Key: item('PROMPT-PURGE') }, false],
  ['a key that cannot be read', 'DynamoDB_20120810.GetItem', { Key: item('') }, false],
  ['another action', 'DynamoDB_20120810.DeleteItem', { Key: item('PROMPT#1') }, false],
  ['a scan', 'DynamoDB_20120810.Scan', { TableName: 't' }, false],
  ['a batch', 'DynamoDB_20120810.BatchGetItem', batch('PROMPT#1', 'PROMPT#2'), true],
  ['one item of a batch', 'DynamoDB_20120810.BatchGetItem', batch('PROMPT#1', 'USE#1'), false],
  ['a transaction', 'DynamoDB_20120810.TransactWriteItems', transaction('USE#1'), true],
  ['one part of a transaction', 'DynamoDB_20120810.TransactWriteItems', transaction('PROMPT#1'), false],
  ['a query', 'DynamoDB_20120810.Query', query('pk = :value', 'PROMPT#1'), true],
  [
    'the index beside the table',
    'DynamoDB_20120810.Query',
    query('gsi1pk = :value', 'PROMPT#1', 'gsi1'),
    false,
  ],
  ['a query of the index', 'DynamoDB_20120810.Query', query('gsi1pk = :value', 'DRAFTS', 'gsi1'), true],
  ['the table beside the index', 'DynamoDB_20120810.Query', query('pk = :value', 'DRAFTS'), false],
  ['the key of a ciphertext', 'TrentService.Decrypt', {}, true],
  ['another key', 'TrentService.Decrypt', { KeyId: KEY_ARNS.SigningKey }, false],
  ['a function', 'Lambda.InvokeFunction', { name: 'job' }, true],
  ['another function', 'Lambda.InvokeFunction', { name: 'another' }, false],
  ['a bucket', 'S3.PutObject', { bucket: 'log' }, true],
  ['another bucket', 'S3.PutObject', { bucket: 'other' }, false],
])('%s: the grants cover %s of %j is %s', (_, target, body, expected) => {
  expect('used' in judge(GRANTED, target, body)).toBe(expected);
});
