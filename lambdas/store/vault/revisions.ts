import { type TagsChange, widenedDetails } from '../../core/api-keys/restrictions.ts';
import { CuevaultError } from '../../core/errors.ts';
import { inParallel } from '../../core/parallel.ts';
import { restorable } from '../../core/restoring.ts';
import type { SecretEntry } from '../../core/vault/secrets.ts';
import type { Change } from '../audit.ts';
import { allEntries } from '../secrets/locations.ts';
import { requireMayWiden } from '../secrets/widening.ts';
import type { Table } from '../table.ts';
import { changeVault } from './changes.ts';
import { putDeleted } from './deleted.ts';
import { findRevision, revisionKept } from './head.ts';

/**
 * Restores all secrets to a revision that was current within the last seven days, and returns the number of the new
 * revision. Secrets created since then count as deleted; numbers of later values are not used again.
 * Errors: `value_not_found`, `would_widen_access`, `changed_meanwhile`, `unavailable`.
 */
export const restoreRevision = async (table: Table, change: Change, revision: number): Promise<number> =>
  changeVault(table, change, async (head) => {
    const earlier = await findRevision(table, head, revision);
    if (earlier === undefined || !restorable(earlier.replacedAt, change.at)) throw notKept(revision);
    const { pages, count, bytes } = earlier;
    const [now, then] = await Promise.all([allEntries(table, head), allEntries(table, earlier)]);
    const back = new Set(then.map(({ secretId }) => secretId));
    const widening = await requireMayWiden(table, change, tagsChanges(now, then, earlier.replacedAt));
    // Before the head changes: the record of a secret that is not deleted in the end is harmless.
    await inParallel(
      now.filter(({ secretId }) => !back.has(secretId)),
      ({ secretId, key }) => putDeleted(table, { secretId, key, revision: head.revision }),
    );
    return {
      head: { pages, count, bytes, reservedUpTo: head.highest },
      writes: [revisionKept(revision), ...widening.writes],
      audit: {
        action: 'vault.restore-revision',
        subject: 'vault',
        name: 'vault',
        details: { revision, ...widenedDetails(widening.keys) },
      },
      result: head.revision + 1,
    };
  });

// A secret that is gone now existed at least until the revision was replaced.
const tagsChanges = (
  now: readonly SecretEntry[],
  then: readonly SecretEntry[],
  replacedAt: string,
): TagsChange[] => {
  const current = new Map(now.map(({ secretId, tags }) => [secretId, tags]));
  return then.map(({ secretId, tags }) => {
    const before = current.get(secretId);
    return before === undefined
      ? { before: tags, after: tags, deletedAt: replacedAt }
      : { before, after: tags };
  });
};

const notKept = (revision: number) =>
  new CuevaultError(
    'value_not_found',
    `Revision ${revision} of the vault does not exist or was replaced more than seven days ago.`,
  );
