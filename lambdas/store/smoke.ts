import { SMOKE_NAME } from '../../contract/functions/commands.ts';
import { monthIn } from '../core/days.ts';
import { isCuevaultError } from '../core/errors.ts';
import { promptIdOf, randomBase62 } from '../core/identifiers.ts';
import { findApiKey } from './api-keys/api-key-row.ts';
import { createApiKey, revokeApiKey } from './api-keys/api-keys.ts';
import type { Change } from './audit.ts';
import { auditPartitions } from './audit-log.ts';
import { readPromptHead } from './prompts/head.ts';
import { createPrompt, deletePrompt } from './prompts/lifecycle.ts';
import { inIndex, inRange, queryItems, queryOnce } from './queries.ts';
import { deleteSecret } from './secrets/removals.ts';
import { createSecret } from './secrets/secrets.ts';
import { retryOnConflict } from './transactions.ts';
import { readVaultHead } from './vault/head.ts';
import { pageOfKey } from './vault/locations.ts';
import type { Vault } from './vault/vault.ts';

const LIFETIME_MS = 10 * 60_000;

/** Audit entries of a partition that are looked through. The smoke reads its secret at once, so its entry is among the first. */
const EXAMINED = 2_000;

/** What a test of the deployment reads. */
export interface Smoke {
  /** Of the prompt, the secret and the API key. */
  readonly name: string;
  /** Text of the prompt, and value of the secret. */
  readonly value: string;
  readonly apiKey: string;
  readonly keyId: string;
  /** When it began: ISO 8601 in UTC. */
  readonly since: string;
}

const remove = async (vault: Vault, change: Change, name: string) => {
  const page = await retryOnConflict(async () => pageOfKey(vault, await readVaultHead(vault), name));
  const secret = page.entries.find(({ key }) => key === name);
  if (secret !== undefined) await deleteSecret(vault, change, secret.secretId);
  try {
    await deletePrompt(vault, change, promptIdOf(name));
  } catch (error) {
    if (!isCuevaultError(error, 'prompt_not_found')) throw error;
  }
};

/** Removes what tests left that were interrupted more than ten minutes ago. Their keys have expired. */
const removeLeft = async (vault: Vault, change: Change) => {
  const before = new Date(change.at.getTime() - LIFETIME_MS).toISOString();
  const query = inIndex('prompts', 'begins_with(gsi1sk, :start)', { ':start': 'cuevault-smoke/' });
  for await (const { gsi1sk } of queryItems(vault, query)) {
    const name = String(gsi1sk);
    const prompt = SMOKE_NAME.test(name) ? await readPromptHead(vault, promptIdOf(name)) : undefined;
    if (prompt !== undefined && prompt.createdAt < before) await remove(vault, change, name);
  }
};

/**
 * Writes a prompt and a secret with random content, and a key that reads both, publishes the prompt, and expires in ten
 * minutes. Nothing stays if it fails.
 */
export const beginSmoke = async (vault: Vault, change: Change): Promise<Smoke> => {
  await removeLeft(vault, change);
  const name = `cuevault-smoke/${randomBase62(22)}`;
  const value = randomBase62(22);
  try {
    // The prompt first: by it, a later test finds the secret, too.
    await createPrompt(vault, change, { name, prompt: value, tags: [], metaProperties: {}, note: '' });
    await createSecret(vault, change, { key: name, value, tags: [name] });
    const { apiKey, record } = await createApiKey(vault, change, {
      name,
      permissions: ['prompts', 'secrets', 'publish'],
      prompts: [name],
      tags: [name],
      expiresAt: new Date(change.at.getTime() + LIFETIME_MS).toISOString(),
    });
    return { name, value, apiKey, keyId: record.keyId, since: change.at.toISOString() };
  } catch (error) {
    await remove(vault, change, name);
    throw error;
  }
};

/** The actions of the audit entries of a test since it began, sorted. */
const auditedActions = async (vault: Vault, now: Date, { name, since }: Pick<Smoke, 'name' | 'since'>) => {
  const months = [...new Set([since, now.toISOString()].map(monthIn))];
  const partitions = await Promise.all(months.map((month) => auditPartitions(vault, month)));
  const pages = await Promise.all(
    [...new Set(partitions.flat())].map((pk) =>
      queryOnce(vault, { ...inRange(pk, since, '~'), ConsistentRead: true, Limit: EXAMINED }, undefined),
    ),
  );
  const entries = pages
    .flatMap(({ items }) => items)
    .filter((item) => item.name === name || item.apiKeyName === name);
  return entries
    .map(({ action, reason }) => String(action ?? (reason === undefined ? 'secret.read' : 'call.refuse')))
    .sort();
};

/**
 * Removes the prompt and the secret of a test and revokes its key, as far as they exist; returns the actions of its
 * audit entries.
 */
export const endSmoke = async (
  vault: Vault,
  change: Change,
  { keyId, ...smoke }: Pick<Smoke, 'name' | 'keyId' | 'since'>,
): Promise<{ readonly audited: readonly string[] }> => {
  if ((await findApiKey(vault, keyId))?.name === smoke.name) await revokeApiKey(vault, change, keyId);
  await remove(vault, change, smoke.name);
  return { audited: await auditedActions(vault, change.at, smoke) };
};
