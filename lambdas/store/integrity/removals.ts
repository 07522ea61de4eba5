import { purgedBefore } from '../../core/restoring.ts';
import { changeOfRevision } from '../audit-log.ts';
import { isAboveReserved, isLive, readPromptHead } from '../prompts/head.ts';
import type { Item, Table } from '../table.ts';
import { findVaultHead, type VaultHead } from '../vault/head.ts';
import { earlierHead } from '../vault/history.ts';
import { vaultIn } from '../vault/vault.ts';
import { fromChange } from '../views/audit-entries.ts';

/**
 * Whether Cuevault may have removed a row, given its content and when it was removed. Errors: `integrity`,
 * `unavailable`.
 */
export type MayBeRemoved = (table: Table, before: Item, at: Date) => Promise<boolean>;

// The time of a change is before its transaction, by at most a function's timeout. Clocks differ, and that of the
// stream counts whole seconds.
const HOUR_MS = 3_600_000;

/** Only the purge removes versions: those of a deleted prompt, or of an earlier one of the same name. */
export const mayVersionBeRemoved: MayBeRemoved = async (table, { promptId, version }) => {
  const head = await readPromptHead(table, String(promptId));
  return head !== undefined && !(isLive(head) && isAboveReserved(head, String(version)));
};

/**
 * Only the purge removes revisions of the vault: those that were replaced more than eight days before. If its successor
 * is gone, its age is unknown; but then the removal of that one is checked, too.
 */
export const mayRevisionBeRemoved: MayBeRemoved = async (table, { environment, revision }, at) => {
  const vault = vaultIn(table, String(environment));
  const replacing = Number(revision) + 1;
  const head = await findVaultHead(vault);
  const next = head?.revision === replacing ? head : await earlierHead(vault, replacing);
  return next === undefined || next.changedAt < purgedBefore(new Date(at.getTime() + HOUR_MS));
};

const retires = async (table: Table, head: VaultHead, keyVersion: unknown): Promise<boolean> => {
  const item = await changeOfRevision(table, head);
  if (item === undefined) return false;
  const { action, details } = fromChange(item);
  return (
    action === 'vault.retire-keys' && Array.isArray(details.retired) && details.retired.includes(keyVersion)
  );
};

/** Only the rotation removes key pairs, together with a new head, whose audit entry names them. */
export const mayKeyPairBeRemoved: MayBeRemoved = async (table, { environment, keyVersion }, at) => {
  const vault = vaultIn(table, String(environment));
  const since = new Date(at.getTime() - HOUR_MS).toISOString();
  let head = await findVaultHead(vault);
  while (head !== undefined && head.changedAt >= since) {
    if (await retires(table, head, keyVersion)) return true;
    head = await earlierHead(vault, head.revision - 1);
  }
  return false;
};
