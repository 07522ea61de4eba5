// Loaded by each thread of functions: it imports little.
import { TABLE } from '../../contract/table.ts';
import { KEY_ARNS } from '../aws/account.ts';

/** An action on one thing: the partition of an item, or what has the name or ARN. */
export interface Access {
  /** Such as `dynamodb:GetItem`. */
  readonly action: string;
  readonly on: string;
}

/** What each action is granted on. A value that ends in `*` stands for everything that begins so. */
export type Permissions = Readonly<Record<string, readonly string[]>>;

/** What the targets of calls to a service begin with. */
export const TARGETS = {
  cognito: 'AWSCognitoIdentityProviderService',
  dynamoDb: 'DynamoDB_20120810',
  events: 'AWSEvents',
  kms: 'TrentService',
  metrics: 'GraniteServiceVersion20100801',
} as const;

/** Not the same as querying the table. */
export const QUERY_INDEX = 'dynamodb:Query index';

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The text of an attribute value such as `{"S": "..."}`. Nothing is granted on an empty one. */
const textOf = (attribute: unknown): string => {
  const { S } = fieldsOf(attribute);
  return typeof S === 'string' ? S : '';
};

const partitionOf = (item: unknown): string => textOf(fieldsOf(item)[TABLE.partitionKey]);

const EQUALITY = /([#\w.]+)\s*=\s*(:\w+)/g;

const queried = (query: Fields): Access => {
  const { partitionKey } = query.IndexName === undefined ? TABLE : TABLE.index;
  const names = fieldsOf(query.ExpressionAttributeNames);
  const [, , value = ''] =
    [...String(query.KeyConditionExpression).matchAll(EQUALITY)].find(
      ([, name = '']) => (names[name] ?? name) === partitionKey,
    ) ?? [];
  const on = textOf(fieldsOf(query.ExpressionAttributeValues)[value]);
  return { action: query.IndexName === undefined ? 'dynamodb:Query' : QUERY_INDEX, on };
};

const PARTS: Readonly<Record<string, string>> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

const onTable = (operation: string, body: Fields): readonly Access[] => {
  const action = `dynamodb:${operation}`;
  if (operation === 'TransactWriteItems' || operation === 'TransactGetItems')
    return listIn(body.TransactItems).flatMap((item) =>
      Object.entries(fieldsOf(item)).map(([kind, part]) => {
        const { Key, Item } = fieldsOf(part);
        return { action: `dynamodb:${PARTS[kind] ?? kind}`, on: partitionOf(Key ?? Item) };
      }),
    );
  if (operation === 'BatchGetItem')
    return Object.values(fieldsOf(body.RequestItems))
      .flatMap((entry) => listIn(fieldsOf(entry).Keys))
      .map((key) => ({ action, on: partitionOf(key) }));
  return [operation === 'Query' ? queried(body) : { action, on: partitionOf(body.Key ?? body.Item) }];
};

/**
 * What a call asks for, from its target and body; each item of a transaction or a batch by itself. S3 and Lambda, which
 * name the operation otherwise, have the targets `S3.…` and `Lambda.…`.
 */
export const accessesOf = (target: string, body: unknown): readonly Access[] => {
  const [service = '', operation = ''] = target.split('.');
  const fields = fieldsOf(body);
  switch (service) {
    case TARGETS.dynamoDb:
      return onTable(operation, fields);
    case TARGETS.kms:
      return [{ action: `kms:${operation}`, on: String(fields.KeyId ?? KEY_ARNS.VaultKey) }];
    case TARGETS.cognito:
      return [{ action: `cognito-idp:${operation}`, on: String(fields.UserPoolId) }];
    case TARGETS.metrics:
      return [{ action: `cloudwatch:${operation}`, on: '' }];
    case TARGETS.events:
      return listIn(fields.Entries).map((entry) => ({
        action: `events:${operation}`,
        on: String(fieldsOf(entry).EventBusName),
      }));
    case 'S3':
      return [{ action: `s3:${operation}`, on: String(fields.bucket) }];
    default:
      return [{ action: `${service.toLowerCase()}:${operation}`, on: String(fields.name) }];
  }
};

const covers = (granted: string, on: string): boolean =>
  granted.endsWith('*') ? on.startsWith(granted.slice(0, -1)) : on === granted;

/** The grants that a call uses, or the first access that none covers. */
export const judge = (
  permissions: Permissions,
  target: string,
  body: unknown,
): { readonly used: ReadonlySet<string> } | { readonly denied: Access } => {
  const used = new Set<string>();
  for (const access of accessesOf(target, body)) {
    const granted = permissions[access.action]?.find((each) => covers(each, access.on));
    if (granted === undefined) return { denied: access };
    used.add(`${access.action} ${granted}`);
  }
  return { used };
};

/** The message for a call that is denied. */
export const denialOf = (operationId: string, { action, on }: Access): string =>
  `The function ${operationId} is not authorized to perform ${action} on ${JSON.stringify(on)}: no grant of the contract covers it.`;
