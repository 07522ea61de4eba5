import type { secretReader } from '../../../contract/documentation/secrets.ts';
import type { ReplyOf } from '../../../contract/endpoint.ts';
import { readsSecret } from '../../../contract/fields/reads-secret.ts';
import { type ApiKey, statusOf } from '../../core/api-keys/rules.ts';
import type { SecretSummary } from '../../core/vault/values.ts';
import { allApiKeys } from '../api-keys/api-keys.ts';
import type { ValueSummary } from '../secrets/secret-lists.ts';
import { type SecretReads, summed } from '../usage/days.ts';
import { type ReadSecrets, readsOfSecret } from '../usage/secret-reads.ts';
import type { Vault } from '../vault/vault.ts';

type SecretReader = ReplyOf<typeof secretReader>;

const mayRead = (key: ApiKey, { environment }: Vault, tags: readonly string[], now: Date): boolean =>
  statusOf(key, now) === 'active' && readsSecret(key, { environment, tags });

/** The API keys that can read a secret with one of these sets of tags at `now`, by name. */
export const readersWithTags = async (vault: Vault, tagSets: readonly (readonly string[])[], now: Date) =>
  (await allApiKeys(vault))
    .filter((key) => tagSets.some((tags) => mayRead(key, vault, tags, now)))
    .map(({ keyId, name }) => ({ apiKeyId: keyId, apiKeyName: name }))
    .sort((a, b) => (a.apiKeyName < b.apiKeyName ? -1 : 1));

/** The number of the value that was current at a time; `null` if it is no longer kept. */
const numberAt = (secret: SecretSummary, values: readonly ValueSummary[], at: string): number | null => {
  if (at >= secret.changedAt) return secret.number;
  return values.find(({ changedAt, replacedAt }) => changedAt <= at && at < replacedAt)?.number ?? null;
};

/** The API keys that can read a secret at `now`, or did so within the days of `reads`, most recent reader first. */
export const readersOf = async (
  vault: Vault,
  readSecretsOf: ReadSecrets,
  reads: readonly SecretReads[],
  { secret, values }: { readonly secret: SecretSummary; readonly values: readonly ValueSummary[] },
  now: Date,
): Promise<SecretReader[]> => {
  const [keys, ofSecret] = await Promise.all([
    allApiKeys(vault),
    readsOfSecret(readSecretsOf, reads, secret.secretId),
  ]);
  const byKey = summed(ofSecret, ({ apiKeyId }) => apiKeyId);
  return keys
    .map((key) => {
      const own = byKey.get(key.keyId);
      return {
        apiKeyId: key.keyId,
        apiKeyName: key.name,
        allowed: mayRead(key, vault, secret.tags, now),
        reads: own?.count ?? 0,
        lastAt: own?.lastAt ?? null,
        number: own === undefined ? null : numberAt(secret, values, own.lastAt),
      };
    })
    .filter(({ allowed, reads: count }) => allowed || count > 0)
    .sort((a, b) => ((a.lastAt ?? '') > (b.lastAt ?? '') ? -1 : 1));
};
