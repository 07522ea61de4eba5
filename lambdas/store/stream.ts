import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { keyOfItem } from './queries.ts';
import type { Item, Key } from './table.ts';

/** A new item, from the table's stream. */
export interface NewItem {
  /** Padded with zeros to 40 digits, so that positions compare as text. */
  readonly sequence: string;
  readonly after: Item | undefined;
}

export interface StreamRecord extends NewItem {
  readonly key: Key;
  readonly before: Item | undefined;
  /** When the item changed, in whole seconds. */
  readonly at: Date;
  /** Whether DynamoDB itself removed the item, because it expired. */
  readonly expired: boolean;
}

const SEQUENCE_DIGITS = 40;

type Values = Readonly<Record<string, unknown>>;

// Binary values come as base64, because an event is JSON.
const decoded = (value: unknown): unknown => {
  const [[type = '', content] = []] = Object.entries(value as Values);
  if (type === 'B') return { B: Buffer.from(String(content), 'base64') };
  if (type === 'BS') return { BS: (content as string[]).map((each) => Buffer.from(each, 'base64')) };
  if (type === 'L') return { L: (content as unknown[]).map(decoded) };
  return type === 'M' ? { M: decodedFields(content as Values) } : value;
};

const decodedFields = (fields: Values): Values =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, decoded(value)]));

const itemOf = (image: object | undefined): Item | undefined =>
  image === undefined
    ? undefined
    : unmarshall(decodedFields(image as Values) as Record<string, AttributeValue>);

// DynamoDB Developer Guide, "DynamoDB Streams and Time to Live". Nobody else can set this.
const isExpiry = ({ userIdentity }: DynamoDBRecord & { readonly userIdentity?: unknown }): boolean => {
  const { principalId, type } = (userIdentity ?? {}) as { principalId?: unknown; type?: unknown };
  return type === 'Service' && principalId === 'dynamodb.amazonaws.com';
};

const MS = 1_000;

/** What a record of the stream says. */
export const toRecord = (record: DynamoDBRecord): StreamRecord => {
  const { ApproximateCreationDateTime: seconds, ...dynamodb } = record.dynamodb ?? {};
  return {
    sequence: (dynamodb.SequenceNumber ?? '').padStart(SEQUENCE_DIGITS, '0'),
    key: keyOfItem(itemOf(dynamodb.Keys) ?? {}),
    expired: isExpiry(record),
    at: new Date(seconds === undefined ? Date.now() : seconds * MS),
    before: itemOf(dynamodb.OldImage),
    after: itemOf(dynamodb.NewImage),
  };
};
