import { auditList } from '../../contract/endpoints/audit-list.ts';
import { daysOf } from '../core/days.ts';
import { operatorEndpoint } from '../http/operator-endpoint.ts';
import { listAudit } from '../store/audit-list.ts';
import { connectTable } from '../store/table.ts';

const table = connectTable();

/** Returns one page of who changed or read what. */
export const handler = operatorEndpoint(auditList, async ({ query, at }) =>
  listAudit(table, { ...query, ...daysOf(query, at, table.settings.auditDays) }),
);
