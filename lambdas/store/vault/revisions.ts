import { type TagsChange, widenedDetails } from '../../core/api-keys/restrictions.ts';
import { CuevaultError } from '../../core/errors.ts';
import { inParallel } from '../../core/parallel.ts';
import { restorable } from '../../core/restoring.ts';
import { isSameTags } from '../../core/tags.ts';
import type { SecretEntry } from '../../core/vault/secrets.ts';
import { requireMayWiden } from '../api-keys/restrictions.ts';
import type { Change } from '../audit.ts';
import { retryOnConflict } from '../transactions.ts';
import { changeVault } from './changes.ts';
import { putDeleted } from './deleted.ts';
import { readVaultHead, type VaultHead } from './head.ts';
import { findRevision } from './history.ts';
import { allEntries } from './locations.ts';
import type { Vault } from './vault.ts';

/** Keys in an audit entry. */
const NAMED_SECRETS = 20;

type Difference = Awaited<ReturnType<typeof differenceTo>>;

/** How the secrets of an earlier revision differ from the current ones. */
const differenceTo = async (vault: Vault, head: VaultHead, revision: number, at: Date) => {
  const earlier = await findRevision(vault, head, revision);
  if (earlier === undefined || !restorable(earlier.replacedAt, at)) throw notKept(revision);
  const [now, then] = await Promise.all([allEntries(vault, head), allEntries(vault, earlier)]);
  const current = new Map(now.map((entry) => [entry.secretId, entry]));
  const kept = new Set(then.map(({ secretId }) => secretId));
  return {
    earlier,
    // Secrets that exist only in the earlier revision, and only now.
    returning: then.filter(({ secretId }) => !current.has(secretId)),
    removed: now.filter(({ secretId }) => !kept.has(secretId)),
    // Secrets with another value or other tags: as they were, and as they are.
    changed: then.flatMap((entry) => {
      const other = current.get(entry.secretId);
      const isSame =
        other === undefined || (other.number === entry.number && isSameTags(other.tags, entry.tags));
      return isSame ? [] : [{ was: entry, is: other }];
    }),
  };
};

/** The secrets whose value would again be one with a credential that is recorded as switched off. */
const keysSwitchedOff = ({ changed }: Pick<Difference, 'changed'>) =>
  changed
    .filter(({ was, is }) => was.number !== is.number && was.number <= (is.switchedOff?.upTo ?? 0))
    .map(({ is }) => is.key);

const keysOf = (entries: readonly SecretEntry[]) => entries.map(({ key }) => key);

/** What restoring a revision would do: keys of secrets, and the tags of all of them. */
export type RevisionPreview = Readonly<
  Record<'returning' | 'removed' | 'changed' | 'switchedOff', readonly string[]>
> & { readonly tags: readonly (readonly string[])[] };

/** A preview of restoring a revision. */
export const previewRevision = (vault: Vault, revision: number, at: Date): Promise<RevisionPreview> =>
  retryOnConflict(async () => {
    const difference = await differenceTo(vault, await readVaultHead(vault), revision, at);
    const { returning, removed } = difference;
    const changed = difference.changed.map(({ is }) => is);
    return {
      returning: keysOf(returning),
      removed: keysOf(removed),
      changed: keysOf(changed),
      switchedOff: keysSwitchedOff(difference),
      tags: [...returning, ...removed, ...changed].map(({ tags }) => tags),
    };
  });

/**
 * Restores all secrets to a revision that was current within the last seven days, and returns the number of the new
 * revision. The revision and its pages are verified first. Secrets created since then count as deleted; numbers of
 * later values are not used again; a stopped vault stays stopped.
 */
export const restoreRevision = async (
  vault: Vault,
  change: Change,
  revision: number,
  { current }: { readonly current?: number | undefined } = {},
): Promise<number> =>
  changeVault(vault, change, async (head) => {
    if (current !== undefined && current !== head.revision) throw changedSince(head, revision);
    const difference = await differenceTo(vault, head, revision, change.at);
    const { pages, count, bytes } = difference.earlier;
    const off = keysSwitchedOff(difference);
    const widening = await requireMayWiden(vault, change, tagsChanges(difference));
    // Before the head changes: the record of a secret that is not deleted in the end is harmless.
    await inParallel(difference.removed, ({ secretId, key }) =>
      putDeleted(vault, { secretId, key, revision: head.revision }),
    );
    return {
      head: { pages, count, bytes, reservedUpTo: head.highest },
      writes: widening.writes,
      audit: {
        action: 'vault.restore-revision',
        // The record of it is not in the revision that comes back.
        details: {
          revision,
          ...(off.length > 0 && { switchedOff: off.slice(0, NAMED_SECRETS) }),
          ...widenedDetails(widening.keys),
        },
      },
      result: head.revision + 1,
    };
  });

const tagsChanges = ({ earlier, returning, changed }: Difference): TagsChange[] => [
  // A secret that is gone now existed at least until the revision was replaced.
  ...returning.map(({ tags }) => ({ before: tags, after: tags, deletedAt: earlier.replacedAt })),
  ...changed.map(({ was, is }) => ({ before: is.tags, after: was.tags })),
];

const changedSince = (head: VaultHead, revision: number) =>
  new CuevaultError(
    'changed_meanwhile',
    `Secrets have changed in the meantime: revision ${head.revision} is current. Restoring revision ${revision} would undo that too.`,
  );

const notKept = (revision: number) =>
  new CuevaultError(
    'value_not_found',
    `Revision ${revision} of the vault does not exist or was replaced more than seven days ago.`,
  );
