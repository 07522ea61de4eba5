import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Item } from './table.ts';

/** A new item, from the table's stream. */
export interface NewItem {
  /** Padded with zeros to 40 digits, so that positions compare as text. */
  readonly sequence: string;
  readonly after: Item;
  /** Of a batch that was given up, and is replayed: its first sequence number. */
  readonly replayed?: string | undefined;
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

const itemOf = (image: object = {}): Item =>
  unmarshall(decodedFields(image as Values) as Record<string, AttributeValue>);

/** What a record of the stream says. */
export const toRecord = ({ dynamodb = {} }: DynamoDBRecord, replayed?: string): NewItem => ({
  sequence: (dynamodb.SequenceNumber ?? '').padStart(SEQUENCE_DIGITS, '0'),
  after: itemOf(dynamodb.NewImage),
  replayed,
});
