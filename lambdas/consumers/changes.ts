import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { PARTITIONS } from '../../contract/table.ts';
import { type ChangeEvent, eventOf } from '../core/events.ts';
import { describeError, log, logFinding } from '../log.ts';
import { connectTable } from '../store/connect.ts';
import { connectEventBus } from '../store/event-bus.ts';
import { integrityFindings, reportFinding } from '../store/integrity/findings.ts';
import type { StreamRecord } from '../store/stream.ts';
import { failingEvents } from '../store/usage/failing-events.ts';
import { inParts } from './in-parts.ts';

const putEvents = connectEventBus();
const table = connectTable();
const stage = process.env[ENVIRONMENT.stage] ?? '';

const isNewChange = ({ key, before, after }: StreamRecord): boolean =>
  before === undefined && after !== undefined && key.pk.startsWith(PARTITIONS.auditChange);

const eventsOf = (records: readonly StreamRecord[]): ChangeEvent[] =>
  records.filter(isNewChange).flatMap(({ after = {}, sequence }) => {
    try {
      return eventOf(after, stage) ?? [];
    } catch (error) {
      log('error', 'record skipped', { sequence, error: describeError(error) });
      return [];
    }
  });

/** Sends each change, and which calls fail, to the event bus, and reports what Cuevault did not change. */
export const handler = inParts(async (records) => {
  for (const finding of await integrityFindings(table, records)) {
    logFinding(finding.subject, finding.problem);
    await reportFinding(table, finding, new Date());
  }
  await putEvents([...eventsOf(records), ...(await failingEvents(table, records))]);
});
