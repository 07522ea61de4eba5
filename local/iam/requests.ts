import { TABLE } from '../../contract/table.ts';
import { bucketArn, functionArn, keyArn, tableArn, userPoolArn } from '../aws/account.ts';
import type { AccessRequest } from './policies.ts';

/** What the target of a call to Cognito begins with. */
export const COGNITO_SERVICE = 'AWSCognitoIdentityProviderService';

/** What the target of a call to CloudWatch begins with. */
export const METRICS_SERVICE = 'GraniteServiceVersion20100801';

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const asArn = (toArn: (name: string) => string, nameOrArn: unknown): string => {
  const text = String(nameOrArn);
  return text.startsWith('arn:') ? text : toArn(text);
};

const tableRequest = (
  operation: string,
  { TableName, IndexName }: Fields,
  leadingKeys: readonly string[],
): AccessRequest => {
  const table = TableName === undefined ? '*' : asArn(tableArn, TableName);
  return {
    action: `dynamodb:${operation}`,
    resource: IndexName === undefined ? table : `${table}/index/${String(IndexName)}`,
    context: { 'dynamodb:LeadingKeys': leadingKeys },
  };
};

/** The text of an attribute value such as `{"S": "..."}`. */
const textOf = (attribute: unknown): readonly string[] => {
  const [value] = Object.values(fieldsOf(attribute));
  return typeof value === 'string' ? [value] : [];
};

const leadingKeyOf = (item: unknown): readonly string[] => textOf(fieldsOf(item)[TABLE.partitionKey]);

const EQUALITY = /([#\w.]+)\s*=\s*(:\w+)/g;

/** The partition key values of a query. */
const queriedKeys = (query: Fields): readonly string[] => {
  const partitionKey = query.IndexName === TABLE.index.name ? TABLE.index.partitionKey : TABLE.partitionKey;
  const names = fieldsOf(query.ExpressionAttributeNames);
  const values = fieldsOf(query.ExpressionAttributeValues);
  return [...String(query.KeyConditionExpression).matchAll(EQUALITY)]
    .filter(([, name = '']) => (names[name] ?? name) === partitionKey)
    .flatMap(([, , value = '']) => textOf(values[value]));
};

const PARTS: Readonly<Record<string, string>> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** A transaction needs the permissions of each of its parts and no others. */
const transactionRequests = (body: Fields): AccessRequest[] =>
  listIn(body.TransactItems).flatMap((item) =>
    Object.entries(fieldsOf(item)).map(([kind, part]) => {
      const fields = fieldsOf(part);
      return tableRequest(PARTS[kind] ?? kind, fields, leadingKeyOf(fields.Key ?? fields.Item));
    }),
  );

const batchRequests = (
  operation: string,
  body: Fields,
  keysOf: (entry: unknown) => readonly unknown[],
): AccessRequest[] =>
  Object.entries(fieldsOf(body.RequestItems)).map(([TableName, entry]) =>
    tableRequest(operation, { TableName }, keysOf(entry).flatMap(leadingKeyOf)),
  );

const writtenKeys = (entry: unknown): readonly unknown[] =>
  listIn(entry).map((write) => {
    const { PutRequest, DeleteRequest } = fieldsOf(write);
    return fieldsOf(PutRequest).Item ?? fieldsOf(DeleteRequest).Key;
  });

const tableRequests = (operation: string, body: Fields): AccessRequest[] => {
  switch (operation) {
    case 'TransactWriteItems':
    case 'TransactGetItems':
      return transactionRequests(body);
    case 'BatchGetItem':
      return batchRequests(operation, body, (entry) => listIn(fieldsOf(entry).Keys));
    case 'BatchWriteItem':
      return batchRequests(operation, body, writtenKeys);
    case 'Query':
      return [tableRequest(operation, body, queriedKeys(body))];
    case 'ExecuteStatement':
    case 'BatchExecuteStatement':
    case 'ExecuteTransaction':
      throw new Error('PartiQL is not supported by the local policy evaluation.');
    default:
      return [tableRequest(operation, body, leadingKeyOf(body.Key ?? body.Item))];
  }
};

const keyRequest = (
  operation: string,
  { KeyId, EncryptionContext, SigningAlgorithm, MessageType }: Fields,
  vaultKey: string,
): AccessRequest => {
  const pairs = Object.entries(fieldsOf(EncryptionContext));
  return {
    action: `kms:${operation}`,
    resource: KeyId === undefined ? vaultKey : asArn(keyArn, KeyId),
    context: {
      'kms:EncryptionContextKeys': pairs.map(([name]) => name),
      ...(SigningAlgorithm === undefined ? {} : { 'kms:SigningAlgorithm': String(SigningAlgorithm) }),
      ...(MessageType === undefined ? {} : { 'kms:MessageType': String(MessageType) }),
      ...Object.fromEntries(pairs.map(([name, value]) => [`kms:EncryptionContext:${name}`, String(value)])),
    },
  };
};

const plainRequest = (action: string, resource: string): AccessRequest => ({ action, resource, context: {} });

const objectArn = ({ bucket, key }: Fields): string =>
  key === '' ? bucketArn(String(bucket)) : `${bucketArn(String(bucket))}/${String(key)}`;

/** Events name their bus by its ARN. */
const busRequests = (operation: string, { Entries }: Fields): AccessRequest[] =>
  listIn(Entries).map((entry) => plainRequest(`events:${operation}`, String(fieldsOf(entry).EventBusName)));

/**
 * Turns a call of CloudWatch, Cognito, DynamoDB, EventBridge, S3, Lambda or KMS (its `x-amz-target` and its body) into the requests that AWS
 * evaluates policies for: action, table, index or key, leading keys or encryption context. A KMS call that names no key
 * uses `vaultKey`. An empty batch needs no permissions. Throws on PartiQL.
 */
export const requestsOf = (target: string, body: unknown, vaultKey: string): AccessRequest[] => {
  const [service = '', operation = ''] = target.split('.');
  const fields = fieldsOf(body);
  if (service === 'S3') return [plainRequest(`s3:${operation}`, objectArn(fields))];
  if (service === 'Lambda') return [plainRequest(`lambda:${operation}`, functionArn(String(fields.name)))];
  if (service === COGNITO_SERVICE)
    return [plainRequest(`cognito-idp:${operation}`, userPoolArn(String(fields.UserPoolId)))];
  if (service === METRICS_SERVICE) return [plainRequest(`cloudwatch:${operation}`, '*')];
  if (service === 'AWSEvents') return busRequests(operation, fields);
  return service === 'TrentService'
    ? [keyRequest(operation, fields, vaultKey)]
    : tableRequests(operation, fields);
};
