import { TABLE } from '../../../contract/table.ts';
import { TABLE_NAME } from '../../../local/aws/account.ts';
import { type Access, accessesOf, QUERY_INDEX, TARGETS } from '../../../local/functions/accesses.ts';
import { bucketArn, functionArn, tableArn, userPoolArn } from './arns.ts';
import type { AccessRequest } from './policies.ts';

type Fields = Readonly<Record<string, unknown>>;

const onTable = ({ action, on }: Access, keys: readonly string[] = on === '' ? [] : [on]): AccessRequest => {
  const table = tableArn(TABLE_NAME);
  const context = { 'dynamodb:LeadingKeys': keys };
  return action === QUERY_INDEX
    ? { action: 'dynamodb:Query', resource: `${table}/index/${TABLE.index.name}`, context }
    : { action, resource: table, context };
};

/** A transaction asks for what each of its items would, a batch once with the keys of all its items. */
const tableRequests = (target: string, accesses: readonly Access[]): readonly AccessRequest[] =>
  target.includes('.Batch')
    ? accesses.slice(0, 1).map((first) =>
        onTable(
          first,
          accesses.map(({ on }) => on),
        ),
      )
    : accesses.map((access) => onTable(access));

const keyContext = ({ EncryptionContext, SigningAlgorithm, MessageType }: Fields) => {
  const pairs = Object.entries(EncryptionContext ?? {});
  return {
    'kms:EncryptionContextKeys': pairs.map(([name]) => name),
    ...(SigningAlgorithm === undefined ? {} : { 'kms:SigningAlgorithm': String(SigningAlgorithm) }),
    ...(MessageType === undefined ? {} : { 'kms:MessageType': String(MessageType) }),
    ...Object.fromEntries(pairs.map(([name, value]) => [`kms:EncryptionContext:${name}`, String(value)])),
  };
};

/**
 * Turns a call of a function (its target and its body) into the requests that AWS evaluates policies for: action, ARN,
 * and the values of condition keys.
 */
export const requestsOf = (target: string, body: unknown): readonly AccessRequest[] => {
  const accesses = accessesOf(target, body);
  const [service = ''] = target.split('.');
  if (service === TARGETS.dynamoDb) return tableRequests(target, accesses);
  const fields = body as Fields;
  const arnOf = (on: string): string => {
    if (service === 'S3') return fields.key === '' ? bucketArn(on) : `${bucketArn(on)}/${fields.key}`;
    if (service === 'Lambda') return functionArn(on);
    if (service === TARGETS.cognito) return userPoolArn(on);
    return service === TARGETS.metrics ? '*' : on;
  };
  const added = fields.ifNoneMatch === undefined ? {} : { 's3:if-none-match': String(fields.ifNoneMatch) };
  const context = service === TARGETS.kms ? keyContext(fields) : added;
  return accesses.map(({ action, on }) => ({ action, resource: arnOf(on), context }));
};

/** The call of a function in another environment: where a resource is named, the one that this environment names. */
export const withResources = (
  body: unknown,
  from: Readonly<Record<string, string>>,
  to: Readonly<Record<string, string>>,
): unknown => {
  const names = new Map<unknown, unknown>(Object.entries(from).map(([name, value]) => [value, to[name]]));
  const isResource = /^(bucket|name|UserPoolId|EventBusName)$/;
  return JSON.parse(JSON.stringify(body), (key, value) =>
    isResource.test(key) ? (names.get(value) ?? value) : value,
  );
};
