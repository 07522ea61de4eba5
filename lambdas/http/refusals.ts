import { REFUSED_CALLS, type RefusalReason, refusalGroup } from '../../contract/http/errors.ts';
import { LIMITS, truncateUtf8 } from '../../contract/limits.ts';
import { PARTITIONS } from '../../contract/table.ts';
import type { ApiKey, RefusedCall, RefusedClaim } from '../core/api-keys/rules.ts';
import { createBoundedCache } from '../core/bounded-cache.ts';
import { expiresAfter, monthOf } from '../core/days.ts';
import { countMetric, describeError, log } from '../log.ts';
import type { KeyCall } from '../store/secrets/audit-read.ts';
import type { Table } from '../store/table.ts';
import { putItemIf } from '../store/updates.ts';
import type { Facts } from './call.ts';

/** Number of refusals that a container remembers. */
const KNOWN_REFUSALS = 1_000;

/**
 * What a call asks for, from its validated path parameters and body: the prompts, with the labels to move or what is
 * included, or the name and the tags of secrets; at most 256 bytes. Undefined for every secret.
 */
export const askedFor = ({ params, body }: CallInput): string | undefined => {
  const asked: InputFields = { ...Object(params), ...Object(body) };
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

interface CallInput {
  readonly params: unknown;
  readonly body: unknown;
}

interface InputFields extends Partial<Record<'name' | 'key' | 'promptId' | 'id' | 'environment', string>> {
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
 * it is sorted at the end of the minute, and has the time of the first.
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

/**
 * Reports the refused calls of one function, for the lifetime of a container: logs and counts each, and writes one audit
 * entry for each key, reason and minute. `input` is absent if it was not read; `keyId` is the key or trust that the call
 * names; `admitted` is the key of a call that was refused after its key was admitted. Never throws.
 */
export const createRefusals = (table: Table, operationId: string) => {
  const written = createBoundedCache<true>(KNOWN_REFUSALS);

  // A caller who has no key but knows the id of one causes one write per minute and container.
  const isFirst = (refusal: string) => {
    const known = written.get(refusal);
    written.set(refusal, true);
    return known === undefined;
  };

  return async (
    { reason, apiKey, claim }: RefusedCall,
    {
      input,
      keyId,
      ...facts
    }: Facts & { readonly input: CallInput | undefined; readonly keyId: string | undefined },
    admitted?: ApiKey,
  ): Promise<void> => {
    const key = apiKey ?? admitted;
    const { at, requestId, sourceIp } = facts;
    const fields = { requestId, keyId, sourceIp };
    const by = { dimensions: { Reason: reason }, by: { Group: refusalGroup(reason) } };
    countMetric({ name: REFUSED_CALLS, level: 'warn', ...by }, 'call refused', fields);
    const minute = at.toISOString().slice(0, 16);
    if (key === undefined || !isFirst([minute, key.keyId, reason, claim?.pointer].join('#'))) return;
    const asked = input && askedFor(input);
    const entry = { apiKeyId: key.keyId, apiKeyName: key.name, operationId, reason, asked, claim };
    await writeAuditRefusal(table, { ...facts, ...entry }).catch((error: unknown) =>
      log('error', 'refusal not written to the audit log', { ...fields, error: describeError(error) }),
    );
  };
};
