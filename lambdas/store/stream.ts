import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Item } from './table.ts';

/** A change of one item, from the table's stream. */
export interface StreamRecord {
  /** Padded with zeros to 40 digits, so that positions compare as text. */
  readonly sequence: string;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

const SEQUENCE_DIGITS = 40;

const itemOf = (image: object | undefined): Item | undefined =>
  image === undefined ? undefined : unmarshall(image as Record<string, AttributeValue>);

const toRecord = ({ dynamodb = {} }: DynamoDBRecord): StreamRecord => ({
  sequence: (dynamodb.SequenceNumber ?? '').padStart(SEQUENCE_DIGITS, '0'),
  before: itemOf(dynamodb.OldImage),
  after: itemOf(dynamodb.NewImage),
});

/** The records of an event of the table's stream, in order. */
export const recordsOf = ({ Records }: DynamoDBStreamEvent): StreamRecord[] => Records.map(toRecord);
