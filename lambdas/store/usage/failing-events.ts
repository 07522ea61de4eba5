import { EVENT_SCHEMA } from '../../../contract/events.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { expiresAfter } from '../../core/days.ts';
import { IntegrityError } from '../../core/errors.ts';
import { type ChangeEvent, idOf } from '../../core/events.ts';
import { SYSTEM } from '../audit.ts';
import { isLive, readPromptHead } from '../prompts/head.ts';
import type { NewItem } from '../stream.ts';
import type { Table } from '../table.ts';
import { updateOrRead } from '../updates.ts';
import { type FailureCount, toFailureCount } from './failure-counts.ts';

/** Events of all prompts together in an hour: a bad day must not flood who is told. */
const MOST_EVENTS = 20;

/** Whether the event of a prompt and hour is due for this record, also when it is delivered again. */
const isDue = async (table: Table, { promptId, hour, since }: FailureCount, by: string): Promise<boolean> => {
  const ttl = expiresAfter(new Date(since), LIMITS.failingDays);
  const known = await updateOrRead(table, {
    Key: { pk: PARTITIONS.failingEvents, sk: hour },
    UpdateExpression: 'SET #prompt = :by, #ttl = :ttl ADD events :one',
    ConditionExpression: 'attribute_not_exists(#prompt) AND (attribute_not_exists(events) OR events < :most)',
    ExpressionAttributeNames: { '#prompt': promptId, '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':by': by, ':ttl': ttl, ':one': 1, ':most': MOST_EVENTS },
  });
  return known === undefined || known[promptId] === by;
};

/** The events of new counters of failing calls: one for each prompt and hour, and 20 in an hour. */
export const failingEvents = async (table: Table, records: readonly NewItem[]) => {
  const events: ChangeEvent[] = [];
  for (const { after, sequence } of records) {
    if (!String(after.pk).startsWith(PARTITIONS.failing)) continue;
    const counted = toFailureCount(after);
    const { promptId, hour, calls: _, since, lastAt: __, asked: ___, ...details } = counted;
    // A row that does not verify must not stop the stream.
    const head = await readPromptHead(table, promptId).catch((error: unknown) => {
      if (!(error instanceof IntegrityError)) throw error;
      return undefined;
    });
    if (!isLive(head) || !(await isDue(table, counted, sequence))) continue;
    const requestId = `failing-${sequence}`;
    events.push({
      schema: EVENT_SCHEMA,
      id: idOf(`${after.pk} ${hour}`),
      type: 'prompt.calls_failing',
      time: since,
      stage: table.settings.stage,
      actor: SYSTEM.name,
      actorId: SYSTEM.id,
      requestId,
      subject: promptId,
      name: head.name,
      details,
    });
  }
  return events;
};
