import { auditList } from '../../contract/endpoints/service.ts';
import { dayOf, daysAfter, monthOf } from '../core/days.ts';
import { daysOf } from '../core/lists/day-ranges.ts';
import { operatorEndpoint } from '../http/operator-endpoint.ts';
import { connectTable } from '../store/connect.ts';
import { readsOf, wideKey } from '../store/entry-shards.ts';
import { withBatchedReads } from '../store/reading-ahead.ts';
import { LAST_SEAL, readSealed } from '../store/seal/seals.ts';
import { listAudit } from '../store/views/audit-list.ts';
import { createAuditSubjects } from '../store/views/audit-subjects.ts';

const table = withBatchedReads(connectTable());
const subjects = createAuditSubjects(table);

/** Returns one page of the audit log, and on the first page the state of the sealed log and the first day with reads. */
export const handler = operatorEndpoint(
  auditList,
  table,
  async ({ query, at, table: own }) => {
    const { auditDays, readDays } = table.settings;
    const readsFrom = dayOf(daysAfter(at, -readDays));
    const [page, sealed] = await Promise.all([
      listAudit(own, { ...query, ...daysOf(query, at, auditDays), readsFrom }, subjects),
      query.cursor === undefined ? readSealed(own) : undefined,
    ]);
    return { ...page, ...(sealed !== undefined && { sealed, readsFrom }) };
  },
  () => [LAST_SEAL, wideKey(readsOf(monthOf(new Date())))],
);
