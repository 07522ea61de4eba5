import type { ReplyOf } from '../../../contract/endpoint.ts';
import { LIMITS, truncateUtf8 } from '../../../contract/limits.ts';
import type { failingShape } from '../../../contract/shapes/prompts.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { createBoundedCache } from '../../core/bounded-cache.ts';
import { expiresAfter } from '../../core/days.ts';
import { putItemOnce, type Table } from '../table.ts';
import type { Access } from './accesses.ts';

/** A call that fails although its prompt exists for the key, or that is served with a placeholder left. */
export type FailedCall = Omit<ReplyOf<typeof failingShape>, 'calls' | 'since' | 'lastAt'> &
  Pick<Access, 'asked'>;

/** The code of calls that are served with a placeholder left. */
export const PLACEHOLDER_LEFT = 'placeholder_left';

/** Calls with one code and key that one row records: how many, and since when (ISO 8601 in UTC). */
export type PendingCalls = FailedCall & { readonly times: number; readonly since: string };

/** A container writes one row of each prompt in this time. */
const PAUSE_MS = 1_000;
/** Prompts that a container remembers, and codes and keys of each that wait for its next row. */
const KNOWN_PROMPTS = 1_000;
const MOST_PENDING = 20;

/**
 * Records failing calls for the lifetime of a container: the first of a prompt in a second is written at once, with
 * those since the last row; what comes last may stay unwritten.
 */
export const createFailures = (table: Table) => {
  const prompts = createBoundedCache<{ writtenAt: number; readonly calls: Map<string, PendingCalls> }>(
    KNOWN_PROMPTS,
  );
  return async (
    { reason, ...failed }: FailedCall,
    { promptId, requestId, at }: Pick<Access, 'promptId' | 'requestId' | 'at'>,
  ): Promise<void> => {
    const prompt = prompts.get(promptId) ?? { writtenAt: Number.NEGATIVE_INFINITY, calls: new Map() };
    prompts.set(promptId, prompt);
    const time = at.toISOString();
    const id = `${failed.code} ${failed.apiKeyId}`;
    const { times = 0, since = time } = prompt.calls.get(id) ?? {};
    const call = { ...failed, reason: truncateUtf8(reason, LIMITS.userAgentBytes), times: times + 1, since };
    if (times > 0 || prompt.calls.size < MOST_PENDING) prompt.calls.set(id, call);
    // The clock may be set back.
    if (Math.abs(at.getTime() - prompt.writtenAt) < PAUSE_MS) return;
    prompt.writtenAt = at.getTime();
    const row = { promptId, time, calls: [...prompt.calls.values()], ttl: expiresAfter(at, 1) };
    prompt.calls.clear();
    await putItemOnce(table, { pk: PARTITIONS.failed + promptId, sk: `${time}#${requestId}`, ...row });
  };
};
