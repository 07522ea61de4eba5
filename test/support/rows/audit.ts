import { dayOf, daysAfter } from '../../../lambdas/core/days.ts';
import type { AuditRead } from '../../../lambdas/store/secrets/audit-read.ts';
import type { AuditEntry } from '../../../lambdas/store/views/audit-entries.ts';
import { listAudit } from '../../../lambdas/store/views/audit-list.ts';
import type { SharedInstance } from '../calls.ts';
import { emailOf } from '../operators.ts';

const dayFrom = (days: number): string => dayOf(daysAfter(new Date(), days));

const latest = async (
  { table }: Pick<SharedInstance, 'table'>,
  kind: AuditEntry['kind'],
  actor?: string,
): Promise<readonly AuditEntry[]> =>
  (await listAudit(table, { from: dayFrom(-1), to: dayFrom(1), kind, actor, limit: 1_000 })).entries;

/** The changes that an operator of these groups has made lately, the latest first. */
export const changesBy = async (
  instance: SharedInstance,
  groups: readonly string[],
): Promise<readonly AuditEntry[]> =>
  (await latest(instance, 'change')).filter(({ actor }) => actor === emailOf(groups));

/** The latest changes with this subject, the latest first. */
export const changesOf = async (
  instance: Pick<SharedInstance, 'table'>,
  id: string,
): Promise<readonly AuditEntry[]> =>
  (await latest(instance, 'change')).filter(({ subject }) => subject === id);

/** The latest changes, reads or refusals with an API key, the latest first. */
export const auditOf = (
  instance: SharedInstance,
  kind: AuditEntry['kind'],
  keyId: string,
): Promise<readonly AuditEntry[]> => latest(instance, kind, keyId);

/** A read of secrets with these properties, as the audit log gets it. */
export const readOf = (properties: Pick<AuditRead, 'at' | 'requestId'> & Partial<AuditRead>): AuditRead => ({
  apiKeyId: 'key1',
  apiKeyName: 'shop',
  sourceIp: '192.0.2.1',
  userAgent: 'curl',
  filter: {},
  restriction: [],
  environment: 'default',
  revision: 1,
  count: 1,
  digest: 'd',
  ...properties,
});
