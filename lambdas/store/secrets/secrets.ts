import type { InputOf } from '../../../contract/endpoint.ts';
import type { secretsCreate, secretsUpdate } from '../../../contract/endpoints/secrets.ts';
import { needsAdministrator } from '../../../contract/functions/environment-names.ts';
import { widenedDetails } from '../../core/api-keys/restrictions.ts';
import { assertValid, CuevaultError } from '../../core/errors.ts';
import { randomBase62 } from '../../core/identifiers.ts';
import { checkNewName } from '../../core/names.ts';
import { distinctTags, isSameTags, withoutSampleTag } from '../../core/tags.ts';
import type { VaultPage } from '../../core/vault/pages.ts';
import type { SecretEntry, SecretNotes } from '../../core/vault/secrets.ts';
import { earlierAfter, type SecretSummary, summaryOf } from '../../core/vault/values.ts';
import { requireMayWiden } from '../api-keys/restrictions.ts';
import { type AuditChange, type Change, stamp } from '../audit.ts';
import { changeVault } from '../vault/changes.ts';
import type { VaultHead } from '../vault/head.ts';
import { requireUnmoved } from '../vault/history.ts';
import { locationOf, pageOfKey, secretKeyTaken, withEntries } from '../vault/locations.ts';
import { findValue } from '../vault/values.ts';
import type { Vault } from '../vault/vault.ts';
import { canBeOpened } from '../vault-keys/all-key-pairs.ts';
import { encryptorFor, newEntry } from './encryption.ts';

type SecretChange = InputOf<typeof secretsUpdate.body>;

/** The number for the next value of a secret: never used before, including in reverted revisions. */
export const nextNumber = (head: VaultHead, entry: SecretEntry): number =>
  Math.max(entry.highest, head.reservedUpTo) + 1;

/**
 * Requires an administrator for secrets with some of these names: as environment variables they decide which code programs
 * run.
 */
export const requireMayName = ({ isAdmin }: Change, names: readonly string[]): void => {
  const found = names.find(needsAdministrator);
  if (found === undefined || isAdmin) return;
  throw new CuevaultError(
    'forbidden',
    `Only an administrator creates a secret named "${found}": an environment variable of this name can decide which code programs run. Choose another name, or ask an administrator.`,
  );
};

/** What a change of one secret does to its page, its audit entry, and the secret without its value. */
export const changeOf = (
  vault: Vault,
  page: VaultPage,
  entry: SecretEntry,
  audit: Pick<AuditChange, 'action' | 'details'>,
) => ({
  before: [page],
  after: withEntries([page], [entry]),
  result: summaryOf(vault, entry),
  audit: { ...audit, subject: entry.secretId, name: entry.key },
});

/** Stores a secret with an unused key. Returns it without its value. */
export const createSecret = async (
  vault: Vault,
  change: Change,
  { key, value, tags: given = [] }: InputOf<typeof secretsCreate.body>,
): Promise<SecretSummary> => {
  checkNewName('key', key);
  requireMayName(change, [key]);
  const tags = distinctTags(given);
  const secretId = randomBase62(22);
  return changeVault(vault, change, async (head) => {
    const [page, encrypt] = await Promise.all([
      pageOfKey(vault, head, key),
      encryptorFor(vault, change, head),
    ]);
    if (page.entries.some((entry) => entry.key === key)) throw secretKeyTaken(key);
    const entry = newEntry(encrypt, key, value, tags, secretId);
    const audit = { action: 'secret.create', details: { tags } };
    return changeOf(vault, page, entry, audit);
  });
};

/** The notes of a secret after a change, after which this is the number of its value. */
const notesAfter = (
  { note: oldNote, rotateBy: oldDay, switchedOff: oldRecord }: SecretEntry,
  number: number,
  { actor, at }: Change,
  { note = oldNote, rotateBy = oldDay, switchedOffUpTo: upTo }: SecretChange,
): SecretNotes => {
  assertValid(
    upTo === undefined || upTo < number,
    `"switchedOffUpTo" must be below ${number}, the number of the current value.`,
  );
  const switchedOff = upTo === undefined ? oldRecord : { upTo, at: at.toISOString(), by: actor.name };
  return { note: note || undefined, rotateBy: rotateBy || undefined, switchedOff };
};

// The text of a note is in the vault only.
const notesDetails = ({ note, rotateBy, switchedOffUpTo }: SecretChange) => ({
  note: note === undefined ? undefined : note === '' ? 'removed' : 'set',
  rotateBy,
  switchedOffUpTo,
});

/**
 * Changes the value of a secret, its tags, its notes, or all; only a new value changes time and author of the value.
 * Returns it without its value.
 */
export const updateSecret = async (vault: Vault, change: Change, secretId: string, wanted: SecretChange) => {
  const { value } = wanted;
  const given = wanted.tags === undefined ? undefined : distinctTags(wanted.tags);
  return changeVault(vault, change, async (head) => {
    const [{ page, entry: old }, encrypt] = await Promise.all([
      locationOf(vault, head, secretId),
      value === undefined ? undefined : encryptorFor(vault, change, head),
    ]);
    requireSeen(wanted, old);
    const kept = value === undefined ? old.tags : withoutSampleTag(old.tags);
    const tags = given ?? (kept.length === old.tags.length ? undefined : kept);
    const widening = await requireMayWiden(vault, change, [{ before: old.tags, after: tags ?? old.tags }]);
    const number = nextNumber(head, old);
    const entry: SecretEntry = {
      ...old,
      ...notesAfter(old, value === undefined ? old.number : number, change, wanted),
      ...(value === undefined
        ? {}
        : {
            ...encrypt?.(old, number, value),
            highest: number,
            earlier: earlierAfter(old, number, change.at),
          }),
      tags: tags ?? old.tags,
    };
    const details = {
      number: value === undefined ? undefined : number,
      tags,
      ...notesDetails(wanted),
      ...widenedDetails(widening.keys),
    };
    return {
      ...changeOf(vault, page, entry, { action: 'secret.update', details }),
      replaced: value === undefined ? [] : [old],
      writes: widening.writes,
    };
  });
};

const requireSeen = ({ number, expectedTags }: SecretChange, old: SecretEntry) => {
  requireNumber(number, old);
  if (expectedTags === undefined || isSameTags(expectedTags, old.tags)) return;
  const tags = old.tags.map((tag) => `"${tag}"`).join(', ');
  throw changedMeanwhile(old, tags === '' ? 'it has no tags now' : `its tags are now ${tags}`);
};

const requireNumber = (seen: number | undefined, old: SecretEntry) => {
  if (seen === undefined || seen === old.number) return;
  throw changedMeanwhile(old, `its value now has number ${old.number}`);
};

const changedMeanwhile = ({ key }: SecretEntry, how: string) =>
  new CuevaultError(
    'changed_meanwhile',
    `The secret "${key}" was changed in the meantime: ${how}. Reload it and try again.`,
  );

/**
 * Makes an earlier value current again, with its own number; the replaced value becomes an earlier one. Nothing is
 * encrypted.
 */
export const rollbackSecret = async (
  vault: Vault,
  change: Change,
  secretId: string,
  number: number,
  { current }: { readonly current?: number | undefined } = {},
): Promise<SecretSummary> =>
  changeVault(vault, change, async (head) => {
    const { page, entry: old } = await locationOf(vault, head, secretId);
    requireNumber(current, old);
    const ref = old.earlier.find((each) => each.number === number);
    if (ref === undefined) throw valueNotFound(old, number);
    const value = await findValue(vault, secretId, ref);
    if (value === undefined || !(await canBeOpened(vault, value))) {
      await requireUnmoved(vault, head);
      throw valueNotFound(old, number);
    }
    const { replacedAt: _, ...encrypted } = value;
    const earlier = earlierAfter(old, number, change.at);
    const entry: SecretEntry = { ...old, ...encrypted, ...stamp(change, 'changed'), earlier };
    const audit = { action: 'secret.rollback', details: { from: old.number, to: number } };
    return { ...changeOf(vault, page, entry, audit), replaced: [old] };
  });

const valueNotFound = ({ key, number: current }: SecretEntry, number: number) =>
  new CuevaultError(
    'value_not_found',
    number === current
      ? `Value ${number} of the secret "${key}" is already the current one.`
      : `The secret "${key}" has no value ${number} to roll back to; only its last earlier values are kept.`,
  );
