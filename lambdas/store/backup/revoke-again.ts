import type { Revocation, Revoked } from '../../../contract/backup.ts';
import { isCuevaultError } from '../../core/errors.ts';
import { findApiKey } from '../api-keys/api-key-row.ts';
import { revokeApiKey } from '../api-keys/api-keys.ts';
import type { Change } from '../audit.ts';
import { readHead } from '../prompts/head.ts';
import { deletePrompt } from '../prompts/lifecycle.ts';
import { deleteVersion } from '../prompts/publishing.ts';
import { readVersion } from '../prompts/versions.ts';
import { locationOf } from '../secrets/locations.ts';
import { deleteSecret } from '../secrets/removals.ts';
import type { Table } from '../table.ts';
import { findHead } from '../vault/head.ts';

const hasSecret = async (table: Table, secretId: string): Promise<boolean> => {
  const head = await findHead(table);
  if (head === undefined) return false;
  try {
    await locationOf(table, head, secretId);
    return true;
  } catch (error) {
    if (isCuevaultError(error, 'secret_not_found')) return false;
    throw error;
  }
};

const hasPrompt = async (table: Table, promptId: string): Promise<boolean> => {
  const head = await readHead(table, promptId);
  return head !== undefined && head.deletedAt === undefined;
};

/** Whether what was revoked or deleted is usable now. */
const isBack = async (table: Table, { action, subject, version = '' }: Revocation): Promise<boolean> => {
  switch (action) {
    case 'api-key.revoke': {
      const found = await findApiKey(table, subject);
      return found !== undefined && found.revokedAt === undefined;
    }
    case 'secret.delete':
      return hasSecret(table, subject);
    case 'prompt.delete':
      return hasPrompt(table, subject);
    case 'version.delete':
      return (await hasPrompt(table, subject)) && (await readVersion(table, subject, version)) !== undefined;
  }
};

const repeat = async (
  table: Table,
  change: Change,
  { action, subject, version = '' }: Revocation,
): Promise<void> => {
  if (action === 'api-key.revoke') await revokeApiKey(table, change, subject);
  else if (action === 'secret.delete') await deleteSecret(table, change, subject);
  else if (action === 'prompt.delete') await deletePrompt(table, change, subject);
  else await deleteVersion(table, change, subject, version);
};

/**
 * Says which of these revocations and deletions were undone by a restore, and repeats them if `apply`. One that cannot be
 * repeated, such as the deletion of a version with a label, is reported with the reason; the others continue.
 * Errors: `integrity`, `unavailable`.
 */
export const revokeAgain = async (
  table: Table,
  change: Change,
  revocations: readonly Revocation[],
  apply: boolean,
): Promise<Revoked[]> => {
  const outcomes: Revoked[] = [];
  // One after the other: several may change the vault or the same prompt.
  for (const revocation of revocations) {
    if (!(await isBack(table, revocation))) outcomes.push({ state: 'gone' });
    else if (!apply) outcomes.push({ state: 'back' });
    else {
      try {
        await repeat(table, change, revocation);
        outcomes.push({ state: 'repeated' });
      } catch (error) {
        if (!isCuevaultError(error) || error.code === 'unavailable') throw error;
        outcomes.push({ state: 'failed', reason: error.message });
      }
    }
  }
  return outcomes;
};
