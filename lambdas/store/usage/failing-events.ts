import { EVENT_SCHEMA } from '../../../contract/events.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { expiresAfter } from '../../core/days.ts';
import { ifGenuine } from '../../core/errors.ts';
import { type ChangeEvent, idOf } from '../../core/events.ts';
import { SYSTEM } from '../audit.ts';
import { isLive, readPromptHead } from '../prompts/head.ts';
import type { NewItem } from '../stream.ts';
import type { Table } from '../table.ts';
import { updateOrRead } from '../updates.ts';
import { type FailureCount, toFailureCount } from './failure-counts.ts';

/** Events in an hour, of all keys and of one: a bad day must not flood who is told, nor one key use up what others need. */
const MOST_EVENTS = 100;
const MOST_OF_KEY = 10;

/** Whether the event of a prompt, key and hour is due for this record, also when it is delivered again. */
const isDue = async (table: Table, { promptId, apiKeyId, hour, since }: FailureCount, by: string) => {
  const event = `${promptId} ${apiKeyId}`;
  const ttl = expiresAfter(new Date(since), LIMITS.failingDays);
  const known = await updateOrRead(table, {
    Key: { pk: PARTITIONS.failingEvents, sk: hour },
    UpdateExpression: 'SET #event = :by, #ttl = :ttl ADD events :one, #key :one',
    ConditionExpression:
      'attribute_not_exists(#event) AND (attribute_not_exists(events) OR events < :most) AND (attribute_not_exists(#key) OR #key < :mostOfKey)',
    ExpressionAttributeNames: { '#event': event, '#key': `key ${apiKeyId}`, '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':by': by,
      ':ttl': ttl,
      ':one': 1,
      ':most': MOST_EVENTS,
      ':mostOfKey': MOST_OF_KEY,
    },
  });
  return known === undefined || known[event] === by;
};

/** The events of new counters of failing calls: one for each prompt, key and hour; in an hour 10 of a key, 100 in all. */
export const failingEvents = async (table: Table, records: readonly NewItem[]) => {
  const events: ChangeEvent[] = [];
  for (const { after, sequence } of records) {
    if (!String(after.pk).startsWith(PARTITIONS.failing)) continue;
    const counted = toFailureCount(after);
    const { promptId, hour, calls: _, since, lastAt: __, asked: ___, ...details } = counted;
    // A row that does not verify must not stop the stream.
    const head = await ifGenuine(() => readPromptHead(table, promptId));
    if (!isLive(head) || !(await isDue(table, counted, sequence))) continue;
    const requestId = `failing-${sequence}`;
    events.push({
      schema: EVENT_SCHEMA,
      id: idOf(`${after.pk} ${hour} ${counted.apiKeyId}`),
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
