import type { RefusalReason } from '../../contract/http/errors.ts';
import { PARTITIONS } from '../../contract/table.ts';
import type { RefusedClaim } from '../core/api-keys/rules.ts';
import { expiresAfter, monthOf } from '../core/days.ts';
import { putItemIf, type Table } from './table.ts';

/** A call with an API key. */
export interface KeyCall {
  readonly at: Date;
  readonly requestId: string;
  readonly apiKeyId: string;
  readonly apiKeyName: string;
  readonly sourceIp: string;
  readonly userAgent: string;
}

/** A call refused because of its API key, whose id is known: why, and for which operation. */
export interface AuditRefusal extends KeyCall {
  readonly operationId: string;
  readonly reason: RefusalReason;
  /** The prompt, or the name and tags of the secrets, that the first of the calls asked for. */
  readonly asked?: string | undefined;
  /** The claim of a token that differs from what the trust demands. */
  readonly claim?: RefusedClaim | undefined;
}

/**
 * Writes the audit entry of the first refusal for this key and reason in this minute. It stands for one or more calls:
 * it is sorted at the end of the minute, and has the time of the first. Errors: `unavailable`.
 */
export const writeAuditRefusal = async (table: Table, { at, ...entry }: AuditRefusal): Promise<void> => {
  const minute = `${at.toISOString().slice(0, 16)}:59.999Z`;
  const Item = {
    pk: PARTITIONS.auditRefusal + monthOf(at),
    sk: `${minute}#${entry.apiKeyId}#${entry.reason}${entry.claim?.pointer ?? ''}`,
    at: at.toISOString(),
    ...entry,
    ttl: expiresAfter(at, table.settings.auditDays),
  };
  await putItemIf(table, { Item, ConditionExpression: 'attribute_not_exists(pk)' });
};
