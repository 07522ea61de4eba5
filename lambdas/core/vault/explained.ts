import { isSameTags } from '../tags.ts';
import type { SecretEntry } from './secrets.ts';

/** What changed from one revision of the vault to the next. */
export interface VaultDifference {
  readonly created: readonly SecretEntry[];
  readonly removed: readonly SecretEntry[];
  readonly changed: readonly { readonly was: SecretEntry; readonly is: SecretEntry }[];
}

/** The audit entry of a change of the vault. */
export interface ExplainingEntry {
  readonly action: string;
  readonly subject: string;
  readonly details: { readonly [name: string]: unknown };
}

const isSameEntry = (a: SecretEntry, b: SecretEntry): boolean =>
  a.key === b.key &&
  a.number === b.number &&
  a.keyVersion === b.keyVersion &&
  isSameTags(a.tags, b.tags) &&
  Buffer.compare(a.box, b.box) === 0;

/** Compares the secrets of two revisions by their ids. */
export const differenceOf = (
  before: readonly SecretEntry[],
  after: readonly SecretEntry[],
): VaultDifference => {
  const old = new Map(before.map((entry) => [entry.secretId, entry]));
  const kept = new Set(after.map(({ secretId }) => secretId));
  return {
    created: after.filter(({ secretId }) => !old.has(secretId)),
    removed: before.filter(({ secretId }) => !kept.has(secretId)),
    changed: after.flatMap((is) => {
      const was = old.get(is.secretId);
      return was === undefined || isSameEntry(was, is) ? [] : [{ was, is }];
    }),
  };
};

type Rule = (difference: VaultDifference, entry: ExplainingEntry) => boolean;

const counts = ({ created, removed, changed }: VaultDifference, wanted: readonly [number, number, number]) =>
  created.length === wanted[0] && removed.length === wanted[1] && changed.length === wanted[2];

const isNothing: Rule = (difference) => counts(difference, [0, 0, 0]);

const isCreated: Rule = (difference, { subject }) =>
  counts(difference, [1, 0, 0]) && difference.created[0]?.secretId === subject;

const onlyChanged =
  (fits: (was: SecretEntry, is: SecretEntry, details: ExplainingEntry['details']) => boolean): Rule =>
  (difference, { subject, details }) => {
    const [pair] = difference.changed;
    // Tags can be set to what they are.
    if (counts(difference, [0, 0, 0])) return details.number === undefined && details.to === undefined;
    if (pair === undefined || !counts(difference, [0, 0, 1])) return false;
    const { was, is } = pair;
    return is.secretId === subject && was.key === is.key && fits(was, is, details);
  };

const tagsIn = (tags: unknown): readonly string[] => (Array.isArray(tags) ? tags.map(String) : []);

const isUpdated = onlyChanged((was, is, { number, tags }) => {
  const wanted = tags === undefined ? was.tags : tagsIn(tags);
  const isSameBox = Buffer.compare(was.box, is.box) === 0;
  return (
    isSameTags(is.tags, wanted) &&
    is.number === (number ?? was.number) &&
    isSameBox === (number === undefined)
  );
});

const isImported: Rule = ({ created, removed, changed }, { details }) => {
  const added = new Set(tagsIn(details.tags));
  return (
    removed.length === 0 &&
    created.length === details.created &&
    changed.length === details.updated &&
    changed.every(
      ({ was, is }) =>
        was.key === is.key &&
        is.number > was.number &&
        isSameTags(is.tags, [...new Set([...was.tags, ...added])]),
    )
  );
};

/** Whether values were only sealed again, with a later key pair: this has no audit entry. */
export const isReencrypted = (difference: VaultDifference): boolean =>
  difference.created.length + difference.removed.length === 0 &&
  difference.changed.every(
    ({ was, is }) =>
      was.key === is.key &&
      was.number === is.number &&
      is.keyVersion > was.keyVersion &&
      isSameTags(was.tags, is.tags),
  );

/** What each action of the audit log may change about the secrets. */
const RULES: Readonly<Record<string, Rule>> = {
  'secret.create': isCreated,
  'secret.restore': isCreated,
  'secret.delete': (difference, { subject }) =>
    counts(difference, [0, 1, 0]) && difference.removed[0]?.secretId === subject,
  'secret.update': isUpdated,
  'secret.rollback': onlyChanged((was, is, { to }) => is.number === to && isSameTags(was.tags, is.tags)),
  'secret.import': isImported,
  'vault.import-keys': isNothing,
  'vault.rotate': isNothing,
  'vault.retire-keys': isNothing,
  'vault.stop': isNothing,
  'vault.start': isNothing,
};

/** Whether the audit entry of a change explains everything that it changed. */
export const explains = (difference: VaultDifference, entry: ExplainingEntry): boolean =>
  RULES[entry.action]?.(difference, entry) ?? false;
