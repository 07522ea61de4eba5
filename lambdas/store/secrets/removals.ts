import { widenedDetails } from '../../core/api-keys/restrictions.ts';
import { CuevaultError } from '../../core/errors.ts';
import { restorable } from '../../core/restoring.ts';
import type { SecretSummary } from '../../core/vault/values.ts';
import { requireMayWiden } from '../api-keys/restrictions.ts';
import type { Change } from '../audit.ts';
import { changeVault } from '../vault/changes.ts';
import { addDeleted, findDeleted, removeDeleted } from '../vault/deleted.ts';
import { requireUnmoved } from '../vault/history.ts';
import { locationOf, pageOfKey, secretKeyTaken, secretNotFound } from '../vault/locations.ts';
import type { Vault } from '../vault/vault.ts';
import { canBeOpened } from '../vault-keys/all-key-pairs.ts';
import { changeOf } from './secrets.ts';

/** Deletes a secret; within seven days it can be restored. */
export const deleteSecret = async (vault: Vault, change: Change, secretId: string): Promise<SecretSummary> =>
  changeVault(vault, change, async (head) => {
    const { page, entry } = await locationOf(vault, head, secretId);
    return {
      ...changeOf(vault, page, entry, { action: 'secret.delete' }),
      after: [{ ...page, entries: page.entries.filter((each) => each !== entry) }],
      writes: [addDeleted(vault, { secretId, key: entry.key, revision: head.revision })],
    };
  });

/** Restores a deleted secret unchanged, within seven days. */
export const restoreSecret = async (vault: Vault, change: Change, secretId: string): Promise<SecretSummary> =>
  changeVault(vault, change, async (head) => {
    const deleted = await findDeleted(vault, head, secretId);
    if (deleted === undefined || !restorable(deleted.deletedAt, change.at)) {
      await locationOf(vault, head, secretId);
      throw notDeleted();
    }
    const { entry } = deleted;
    if (!(await canBeOpened(vault, entry))) {
      await requireUnmoved(vault, head);
      throw secretNotFound(secretId);
    }
    const page = await pageOfKey(vault, head, entry.key);
    const holder = page.entries.find(({ key }) => key === entry.key);
    if (holder !== undefined) throw holder.secretId === secretId ? notDeleted() : secretKeyTaken(entry.key);
    const { tags } = entry;
    const tagsChange = { before: tags, after: tags, deletedAt: deleted.deletedAt };
    const widening = await requireMayWiden(vault, change, [tagsChange]);
    const audit = { action: 'secret.restore', details: { ...widenedDetails(widening.keys) } };
    return {
      ...changeOf(vault, page, entry, audit),
      writes: [removeDeleted(vault, secretId), ...widening.writes],
    };
  });

const notDeleted = () =>
  new CuevaultError('not_deleted', 'The secret is not deleted; there is nothing to restore.');
