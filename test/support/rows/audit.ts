import { dayOf, daysAfter } from '../../../lambdas/core/days.ts';
import type { AuditRead } from '../../../lambdas/store/secrets/audit-read.ts';
import type { AuditEntry } from '../../../lambdas/store/views/audit-entries.ts';
import { listAudit } from '../../../lambdas/store/views/audit-list.ts';
import { currentInstance } from '../admin.ts';
import type { SharedInstance } from '../calls.ts';
import { emailOf } from '../operators.ts';

const dayFrom = (days: number): string => dayOf(daysAfter(new Date(), days));

const latest = async (
  kind: AuditEntry['kind'],
  actor?: string,
  { table }: Pick<SharedInstance, 'table'> = currentInstance(),
): Promise<readonly AuditEntry[]> =>
  (await listAudit(table, { from: dayFrom(-1), to: dayFrom(1), kind, actor, limit: 1_000 })).entries;

/** The changes that an operator of these groups has made lately, the latest first. */
export const changesBy = async (groups: readonly string[]): Promise<readonly AuditEntry[]> =>
  (await latest('change')).filter(({ actor }) => actor === emailOf(groups));

/** The latest changes with this subject, the latest first. */
export const changesOf = async (
  id: string,
  on?: Pick<SharedInstance, 'table'>,
): Promise<readonly AuditEntry[]> =>
  (await latest('change', undefined, on)).filter(({ subject }) => subject === id);

/** The latest changes, reads or refusals with an API key, the latest first. */
export const auditOf = (kind: AuditEntry['kind'], keyId: string): Promise<readonly AuditEntry[]> =>
  latest(kind, keyId);

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
