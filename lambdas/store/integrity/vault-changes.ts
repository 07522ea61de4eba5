import { restorable } from '../../core/restoring.ts';
import { differenceOf, explains, isReencrypted, type VaultDifference } from '../../core/vault/explained.ts';
import { packRefs } from '../../core/vault/pages.ts';
import { changeOfRevision } from '../audit.ts';
import { verifiedRow } from '../signing/rows.ts';
import type { Table } from '../table.ts';
import { earlierHead, HEAD, StaleHeadError, VAULT_HEAD, type VaultHead } from '../vault/head.ts';
import { readPages } from '../vault/pages.ts';
import { fromChange } from '../views/audit-entries.ts';
import type { IntegrityCheck } from './problems.ts';

const hasSamePages = (a: VaultHead, b: VaultHead): boolean =>
  Buffer.compare(packRefs(a.pages), packRefs(b.pages)) === 0;

/** The pages of a head that the other one does not name. */
const replacedPages = (head: VaultHead, other: VaultHead) => {
  const named = new Set(other.pages.map(({ id }) => id));
  return head.pages.filter(({ id }) => !named.has(id));
};

const differenceBetween = async (
  table: Table,
  before: VaultHead,
  head: VaultHead,
): Promise<VaultDifference> => {
  const [was, is] = await Promise.all([
    readPages(table, replacedPages(before, head)),
    readPages(table, replacedPages(head, before)),
  ]);
  return differenceOf(
    was.flatMap(({ entries }) => entries),
    is.flatMap(({ entries }) => entries),
  );
};

const problemBetween = async (
  table: Table,
  before: VaultHead,
  head: VaultHead,
): Promise<string | undefined> => {
  const isToggled = before.stoppedAt !== head.stoppedAt;
  // The same revision is written again when it is signed with a new key. Another rule covers lower ones.
  if (head.revision <= before.revision) {
    const isSame = head.revision < before.revision || (hasSamePages(before, head) && !isToggled);
    return isSame ? undefined : 'The vault changed without a new revision.';
  }
  if (head.revision !== before.revision + 1)
    return 'The revision of the vault does not follow the one before.';
  const difference = () => differenceBetween(table, before, head);
  const item = await changeOfRevision(table, head.revision, head.changedAt);
  if (item === undefined) {
    return !isToggled && isReencrypted(await difference())
      ? undefined
      : 'A change of the vault has no audit entry of its own.';
  }
  const entry = fromChange(item);
  if (entry.actor !== head.changedBy) return 'The audit entry of a change of the vault names someone else.';
  const unexplained = `The audit entry of a change of the vault, ${entry.action}, does not explain what changed.`;
  if (isToggled !== ['vault.stop', 'vault.start'].includes(entry.action)) return unexplained;
  if (entry.action === 'vault.restore-revision') {
    const earlier = await earlierHead(table, Number(entry.details.revision));
    return earlier !== undefined && hasSamePages(earlier, head) ? undefined : unexplained;
  }
  return explains(await difference(), entry) ? undefined : unexplained;
};

// The clocks of a writer, the stream and the purge differ.
const CLOCKS_MS = 3_600_000;

// A page that is gone must not stop the stream. The purge removes those of changes that can no longer be undone, which a
// stream that was not read for so long may still contain.
const unreadable = (at: Date): string | undefined =>
  restorable(at.toISOString(), new Date(Date.now() + CLOCKS_MS))
    ? 'Pages of the vault are gone that no purge may have removed yet.'
    : undefined;

/**
 * Every change of the vault must match the action of its audit entry: a compromised function that changes something
 * else, or writes no entry, is reported. Errors: `unavailable`.
 */
export const vaultChangeProblem: IntegrityCheck = async (table, { key, before, after, at }) => {
  if (key.pk !== HEAD.pk || key.sk !== HEAD.sk || before === undefined || after === undefined)
    return undefined;
  const head = verifiedRow(table, VAULT_HEAD, HEAD, after);
  const problem = await problemBetween(table, VAULT_HEAD.fromItem(before), head).catch((error: unknown) => {
    if (error instanceof StaleHeadError) return unreadable(at);
    throw error;
  });
  return problem === undefined ? undefined : { problem, details: { revision: head.revision } };
};
