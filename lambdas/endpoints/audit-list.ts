import { auditList } from '../../contract/endpoints/audit-list.ts';
import { daysOf } from '../core/days.ts';
import { operatorEndpoint } from '../http/operator-endpoint.ts';
import { connectTable } from '../store/table.ts';
import { listAudit } from '../store/views/audit-list.ts';
import { createAuditSubjects } from '../store/views/audit-subjects.ts';

const table = connectTable();
const subjects = createAuditSubjects(table);

/** Returns one page of the audit log. */
export const handler = operatorEndpoint(auditList, async ({ query, at }) =>
  listAudit(table, { ...query, ...daysOf(query, at, table.settings.auditDays) }, subjects),
);
