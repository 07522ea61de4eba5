import { describeError, log, logFailure } from '../log.ts';
import { connectTable } from '../store/connect.ts';
import { createUsageConsumer } from '../store/usage/consume.ts';
import { inParts } from './in-parts.ts';

const consume = createUsageConsumer(connectTable());

export const handler = inParts(async (records) => {
  const { unreadable, unresolved, refused } = await consume(records);
  for (const { sequence, error } of unreadable) {
    log('error', 'record skipped', { sequence, error: describeError(error) });
  }
  for (const error of refused) logFailure('secrets not named', error);
  for (const digest of unresolved) log('warn', 'secrets of an audit entry not found', { digest });
});
