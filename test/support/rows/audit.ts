import type { AuditEntry } from '../../../lambdas/store/views/audit-entries.ts';
import { listAudit } from '../../../lambdas/store/views/audit-list.ts';
import type { SharedInstance } from '../calls.ts';
import { emailOf } from '../operators.ts';

const DAY_MS = 86_400_000;
const dayFrom = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

const changes = async ({ table }: SharedInstance): Promise<readonly AuditEntry[]> => {
  const range = { from: dayFrom(-1), to: dayFrom(1), kind: 'change', limit: 1_000 } as const;
  return (await listAudit(table, range)).entries;
};

/** The changes that an operator of these groups has made lately, the latest first. */
export const changesBy = async (
  instance: SharedInstance,
  groups: readonly string[],
): Promise<readonly AuditEntry[]> =>
  (await changes(instance)).filter(({ actor }) => actor === emailOf(groups));

/** The latest changes with this subject, the latest first. */
export const changesOf = async (instance: SharedInstance, id: string): Promise<readonly AuditEntry[]> =>
  (await changes(instance)).filter(({ subject }) => subject === id);

/** The latest changes made with an API key, the latest first. */
export const changesFrom = async (instance: SharedInstance, keyId: string): Promise<readonly AuditEntry[]> =>
  (await changes(instance)).filter(({ actorId }) => actorId === keyId);
