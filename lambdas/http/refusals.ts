import { REFUSED_CALLS, type RefusalReason, refusalGroup } from '../../contract/http/errors.ts';
import { LIMITS, truncateUtf8 } from '../../contract/limits.ts';
import { PARTITIONS } from '../../contract/table.ts';
import type { ApiKey, RefusedCall, RefusedClaim } from '../core/api-keys/rules.ts';
import { expiresAfter, monthOf } from '../core/days.ts';
import { countMetric, describeError, log } from '../log.ts';
import type { KeyCall } from '../store/secrets/audit-read.ts';
import { putItemIf, type Table } from '../store/table.ts';
import type { Facts } from './call.ts';

/** Number of refusals per minute that a container remembers. */
const REMEMBERED = 1_000;

/**
 * What a call asks for, from its validated path parameters and body: the prompts, with the labels to move or what is
 * included, or the name and the tags of secrets; at most 256 bytes. Undefined for every secret.
 */
export const askedFor = (input: { readonly params: unknown; readonly body: unknown }): string | undefined => {
  const asked: Wanted = { ...Object(input.params), ...Object(input.body) };
  const { name, key, promptId, id, names = [], moves = [], content } = asked;
  const { tags = [], environment } = asked;
  const wanted = [
    name ?? key ?? promptId ?? id ?? names,
    moves.map((move) => `${move.label} of ${move.name}`),
    (content?.includes ?? []).map((include) => `includes ${include}`),
    environment === undefined ? [] : `environment ${environment}`,
    tags.length > 0 ? `tags ${tags.join(', ')}` : [],
  ].flat();
  return wanted.length === 0 ? undefined : truncateUtf8(wanted.join(', '), LIMITS.userAgentBytes);
};

interface Wanted extends Partial<Record<'name' | 'key' | 'promptId' | 'id' | 'environment', string>> {
  readonly tags?: readonly string[];
  readonly names?: readonly string[];
  readonly moves?: readonly { readonly name: string; readonly label: string }[];
  readonly content?: { readonly includes?: readonly string[] };
}

/** A call refused because of its API key, whose id is known: why, and for which operation. */
interface AuditRefusal extends KeyCall {
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

/** A refused call; `asked` is absent if its input was not read. */
type RefusedRequest = Facts & { readonly asked?: string | undefined };

/**
 * Logs and counts a refused call, and writes one audit entry for each key, reason and minute. `admitted` is the key of a
 * call that was refused after its key was admitted. Never throws.
 */
type Report = (refused: RefusedCall, call: RefusedRequest, admitted?: ApiKey) => Promise<void>;

/** Reports the refused calls of one function, for the lifetime of a container. */
export const createRefusals = (table: Table, operationId: string): Report => {
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

  return async ({ reason, apiKey, claim }, { at, requestId, sourceIp, userAgent, asked }, admitted) => {
    const key = apiKey ?? admitted;
    const fields = { requestId, keyId: key?.keyId, sourceIp };
    const dimensions = { Reason: reason };
    const metric = {
      name: REFUSED_CALLS,
      level: 'warn',
      dimensions,
      by: { Group: refusalGroup(reason) },
    } as const;
    countMetric(metric, 'call refused', fields);
    if (key === undefined || !isFirst(key.keyId, reason + (claim?.pointer ?? ''), at)) return;
    const entry = { apiKeyId: key.keyId, apiKeyName: key.name, operationId, reason, asked, claim };
    await writeAuditRefusal(table, { at, requestId, sourceIp, userAgent, ...entry }).catch((error: unknown) =>
      log('error', 'refusal not written to the audit log', { ...fields, error: describeError(error) }),
    );
  };
};
