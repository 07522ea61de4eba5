import { auditList } from '../../contract/endpoints/audit-list.ts';
import { daysOf } from '../core/days.ts';
import { operatorEndpoint } from '../http/operator-endpoint.ts';
import { integrityStatus } from '../store/integrity/status.ts';
import { connectTable } from '../store/table.ts';
import { listAudit } from '../store/views/audit-list.ts';
import { createAuditSubjects } from '../store/views/audit-subjects.ts';

const table = connectTable();
const subjects = createAuditSubjects(table);

/** Returns one page of the audit log, and on the first page the state of the sealed log. */
export const handler = operatorEndpoint(auditList, async ({ query, at }) => {
  const [page, integrity] = await Promise.all([
    listAudit(table, { ...query, ...daysOf(query, at, table.settings.auditDays) }, subjects),
    query.cursor === undefined ? integrityStatus(table) : undefined,
  ]);
  return { ...page, ...(integrity && { integrity }) };
});
