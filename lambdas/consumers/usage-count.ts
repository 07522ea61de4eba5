import type { DynamoDBStreamEvent } from 'aws-lambda';
import { describeError, log, logFailure } from '../log.ts';
import { connectTable } from '../store/connect.ts';
import { recordsOf } from '../store/stream.ts';
import { createUsageConsumer } from '../store/usage/consume.ts';

const consume = createUsageConsumer(connectTable());

/** Counts fetches of prompts and reads of secrets. If it throws, the stream delivers the same records again. */
export const handler = async (event: DynamoDBStreamEvent): Promise<void> => {
  const { unreadable, unresolved, refused } = await consume(recordsOf(event));
  for (const { sequence, error } of unreadable) {
    log('error', 'record skipped', { sequence, error: describeError(error) });
  }
  for (const error of refused) logFailure('secrets not named', error);
  for (const digest of unresolved) log('warn', 'secrets of an audit entry not found', { digest });
};
