import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { logFailure } from '../log.ts';
import { type NewItem, toRecord } from '../store/stream.ts';

/** An object of the bucket with failed records (AWS Lambda Developer Guide, "Retain discarded records"). */
interface GivenUp {
  readonly DDBStreamBatchInfo: { readonly startSequenceNumber: string };
  /** The event as JSON. */
  readonly payload: string;
}

const batchOf = (event: DynamoDBStreamEvent | GivenUp) => {
  if ('Records' in event) return event;
  const { Records } = JSON.parse(event.payload) as DynamoDBStreamEvent;
  return { Records, replayed: event.DDBStreamBatchInfo.startSequenceNumber };
};

/**
 * The handler of a consumer of the table's stream. What `consume` throws concerns all of its records: the handler then
 * passes it halves, down to single records, until one fails. It reports that record, so that the stream does not deliver
 * those before it again. If it is the first of the event, the handler throws, and Lambda halves the batch: otherwise the
 * records after it would be given up together with it. An object of the bucket with failed records is consumed as the
 * batch that it was.
 */
export const inParts =
  (consume: (records: readonly NewItem[]) => Promise<void>) =>
  async (event: DynamoDBStreamEvent | GivenUp): Promise<DynamoDBBatchResponse> => {
    const { Records, replayed } = { replayed: undefined, ...batchOf(event) };
    let consumed = 0;
    const consumePart = async (records: readonly NewItem[]) => {
      try {
        await consume(records);
        consumed += records.length;
      } catch (error) {
        if (records.length === 1) throw error;
        const middle = Math.ceil(records.length / 2);
        await consumePart(records.slice(0, middle));
        await consumePart(records.slice(middle));
      }
    };
    try {
      await consumePart(Records.map((record) => toRecord(record, replayed)));
      return { batchItemFailures: [] };
    } catch (error) {
      const failed = Records[consumed]?.dynamodb?.SequenceNumber;
      if (consumed === 0 || failed === undefined || replayed !== undefined) throw error;
      logFailure('record not consumed', error);
      return { batchItemFailures: [{ itemIdentifier: failed }] };
    }
  };
