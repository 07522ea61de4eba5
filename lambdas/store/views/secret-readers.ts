import type { secretReader } from '../../../contract/documentation/secrets.ts';
import type { ReplyOf } from '../../../contract/endpoint.ts';
import { readsSecret } from '../../../contract/fields/reads-secret.ts';
import { type ApiKey, statusOf } from '../../core/api-keys/rules.ts';
import { dayIn } from '../../core/days.ts';
import type { SecretSummary } from '../../core/vault/values.ts';
import { allApiKeys } from '../api-keys/api-keys.ts';
import { changeOfRevision } from '../audit-log.ts';
import type { ValueSummary } from '../secrets/secret-lists.ts';
import { countOf, type SecretReads } from '../usage/days.ts';
import { type ReadSecrets, readsOfSecrets } from '../usage/secret-reads.ts';
import type { Vault } from '../vault/vault.ts';

type SecretReader = ReplyOf<typeof secretReader>;

const mayRead = (key: ApiKey, { environment }: Vault, tags: readonly string[], now: Date) =>
  statusOf(key, now) === 'active' && readsSecret(key, { environment, tags });

/** The API keys that can read a secret with one of these sets of tags at `now`, by name. */
export const readersWithTags = async (vault: Vault, tagSets: readonly (readonly string[])[], now: Date) =>
  (await allApiKeys(vault))
    .filter((key) => tagSets.some((tags) => mayRead(key, vault, tags, now)))
    .map(({ keyId, name }) => ({ apiKeyId: keyId, apiKeyName: name }))
    .sort((a, b) => (a.apiKeyName < b.apiKeyName ? -1 : 1));

/** When a value became current and, if it was, when it was replaced; ISO 8601 in UTC. */
type Current = Pick<ValueSummary, 'changedAt'> & Partial<Pick<ValueSummary, 'replacedAt'>>;

/** Later than every time: a value that is current was not replaced yet. */
const NEVER = '~';

/** Whether a value was current at a time, so that a read then returned it. */
export const wasCurrentAt = ({ changedAt, replacedAt = NEVER }: Current, at: string): boolean =>
  changedAt <= at && at < replacedAt;

/**
 * Judges the reads of a day: whether the first or the last of them returned a value, whether the last did, and whether
 * one between them may have. By the revisions from which on and before which the value was current; if the audit log
 * does not have the changes that made them, by the time of the last read.
 * @param wasCurrentBefore - Whether the value is an earlier one that was made current again.
 */
export const createJudge = async (vault: Vault, value: Current, wasCurrentBefore = false) => {
  const { environment } = vault;
  const { changedAt, replacedAt } = value;
  const revisionAt = async (time: string) =>
    Number((await changeOfRevision(vault, { environment, changedAt: time }))?.revision);
  const from = await revisionAt(changedAt);
  const to = replacedAt === undefined ? Number.POSITIVE_INFINITY : await revisionAt(replacedAt);
  return ({ lastAt, count, revisions: [lowest, highest] }: SecretReads) => {
    if (!(from < to)) {
      const last = wasCurrentAt(value, lastAt);
      const isOnDay = count > 1 && dayIn(lastAt) <= dayIn(replacedAt ?? NEVER);
      return { certain: last, last, maybe: lastAt < changedAt ? wasCurrentBefore : isOnDay };
    }
    const isIn = (revision: number) => revision >= from && revision < to;
    const isAround = lowest < from && highest >= to && count > 2;
    const isBefore = wasCurrentBefore && lowest < from;
    return { certain: isIn(lowest) || isIn(highest), last: isIn(highest), maybe: isAround || isBefore };
  };
};

/** The API keys that can read a secret at `now`, or did so within the days of `reads`, most recent reader first. */
export const readersOf = async (
  vault: Vault,
  readSecretsOf: ReadSecrets,
  reads: readonly SecretReads[],
  { secret, values }: { readonly secret: SecretSummary; readonly values: readonly ValueSummary[] },
  now: Date,
): Promise<SecretReader[]> => {
  const [keys, ofSecrets] = await Promise.all([
    allApiKeys(vault),
    readsOfSecrets(readSecretsOf, reads, [secret.secretId]),
  ]);
  const byKey = ofSecrets.get(secret.secretId);
  const kept = [secret, ...values];
  return keys
    .map((key) => {
      const own = byKey?.get(key.keyId) ?? [];
      const lastAt = own.at(-1)?.lastAt ?? null;
      return {
        apiKeyId: key.keyId,
        apiKeyName: key.name,
        allowed: mayRead(key, vault, secret.tags, now),
        reads: countOf(own),
        lastAt,
        number: kept.find((value) => wasCurrentAt(value, lastAt ?? ''))?.number ?? null,
      };
    })
    .filter(({ allowed, reads: count }) => allowed || count > 0)
    .sort((a, b) => ((a.lastAt ?? '') > (b.lastAt ?? '') ? -1 : 1));
};
