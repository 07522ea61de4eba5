import { CuevaultError } from '../../core/errors.ts';
import { inParallel } from '../../core/parallel.ts';
import { restorable } from '../../core/restoring.ts';
import type { Change } from '../audit.ts';
import { allEntries } from '../secrets/locations.ts';
import type { Table } from '../table.ts';
import { changeVault } from './changes.ts';
import { putDeleted } from './deleted.ts';
import { findRevision, revisionKept } from './head.ts';

/**
 * Restores all secrets to a revision that was current within the last seven days, and returns the number of the new
 * revision. Secrets created since then count as deleted; numbers of later values are not used again.
 * Errors: `value_not_found`, `changed_meanwhile`, `unavailable`.
 */
export const restoreRevision = async (table: Table, change: Change, revision: number): Promise<number> =>
  changeVault(table, change, async (head) => {
    const earlier = await findRevision(table, head, revision);
    if (earlier === undefined || !restorable(earlier.replacedAt, change.at)) throw notKept(revision);
    const { pages, count, bytes } = earlier;
    const [now, then] = await Promise.all([allEntries(table, head), allEntries(table, earlier)]);
    const back = new Set(then.map(({ secretId }) => secretId));
    // Before the head changes: the record of a secret that is not deleted in the end is harmless.
    await inParallel(
      now.filter(({ secretId }) => !back.has(secretId)),
      ({ secretId, key }) => putDeleted(table, { secretId, key, revision: head.revision }),
    );
    return {
      head: { pages, count, bytes, reservedUpTo: head.highest },
      writes: [revisionKept(revision)],
      audit: { action: 'vault.restore-revision', subject: 'vault', name: 'vault', details: { revision } },
      result: head.revision + 1,
    };
  });

const notKept = (revision: number) =>
  new CuevaultError(
    'value_not_found',
    `Revision ${revision} of the vault does not exist or was replaced more than seven days ago.`,
  );
