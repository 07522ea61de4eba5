import { REFUSED_CALLS } from '../../contract/http/refusals.ts';
import type { ApiKey, RefusedCall } from '../core/api-keys/rules.ts';
import { countMetric, describeError, log } from '../log.ts';
import { writeAuditRefusal } from '../store/audit.ts';
import type { Table } from '../store/table.ts';
import type { Call } from './call.ts';

/** Number of refusals per minute that a container remembers. */
const REMEMBERED = 1_000;

export interface Refusals {
  /**
   * Logs and counts a refused call, and writes one audit entry for each key, reason and minute. `admitted` is the key
   * of a call that was refused after its key was admitted. Never throws.
   */
  readonly report: (
    refused: RefusedCall,
    call: Omit<Call<never>, 'body'>,
    admitted?: ApiKey,
  ) => Promise<void>;
}

/** Reports the refused calls of one function, for the lifetime of a container. */
export const createRefusals = (table: Table, operationId: string): Refusals => {
  const written = new Set<string>();
  let current = 0;

  // A caller who has no key but knows the id of one causes one write per minute and container.
  const isFirst = (keyId: string, reason: string, at: Date): boolean => {
    const minute = Math.floor(at.getTime() / 60_000);
    if (minute !== current || written.size >= REMEMBERED) written.clear();
    current = minute;
    const refusal = `${keyId}#${reason}`;
    const first = !written.has(refusal);
    written.add(refusal);
    return first;
  };

  return {
    report: async ({ reason, apiKey: refusedKey }, { at, requestId, sourceIp, userAgent }, admitted) => {
      const apiKey = refusedKey ?? admitted;
      const fields = { requestId, keyId: apiKey?.keyId, sourceIp };
      const metric = { name: REFUSED_CALLS, level: 'warn', dimensions: { Reason: reason } } as const;
      countMetric(metric, 'call refused', fields);
      if (apiKey === undefined || !isFirst(apiKey.keyId, reason, at)) return;
      const { keyId: apiKeyId, name: apiKeyName } = apiKey;
      const entry = { at, requestId, apiKeyId, apiKeyName, sourceIp, userAgent, operationId, reason };
      await writeAuditRefusal(table, entry).catch((error: unknown) =>
        log('error', 'refusal not written to the audit log', { ...fields, error: describeError(error) }),
      );
    },
  };
};
