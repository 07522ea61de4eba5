import type { AuditEntry } from '../../../lambdas/store/views/audit-entries.ts';
import { listAudit } from '../../../lambdas/store/views/audit-list.ts';
import type { SharedInstance } from '../calls.ts';
import { emailOf } from '../operators.ts';

const DAY_MS = 86_400_000;
const dayFrom = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** The changes that an operator of these groups has made lately, the latest first. */
export const changesBy = async (
  { table }: SharedInstance,
  groups: readonly string[],
): Promise<readonly AuditEntry[]> => {
  const actor = emailOf(groups);
  const range = { from: dayFrom(-1), to: dayFrom(1), kind: 'change', limit: 1_000 } as const;
  const { entries } = await listAudit(table, range);
  return entries.filter((entry) => entry.actor === actor);
};
