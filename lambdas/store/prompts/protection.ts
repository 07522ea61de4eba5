import { LIMITS } from '../../../contract/limits.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { assertValid, CuevaultError } from '../../core/errors.ts';
import { type Change, commitChange, stamp } from '../audit.ts';
import { number, type RowOf, readSingleton, records, signedKind } from '../signing/rows.ts';
import { putSigned } from '../signing/writes.ts';
import type { Key, Table } from '../table.ts';
import { ConflictError, onlyIf, type Write } from '../transactions.ts';
import { isLive, labelled, type PromptHead } from './head.ts';

/** The key of the row of protected labels. */
export const PROTECTION_KEY: Key = { pk: PARTITIONS.labelProtection, sk: 'LABELS' };

/** How the one row of protected labels is stored and signed. */
export const LABEL_PROTECTION = signedKind({
  domain: 'label-protection',
  keyOf: () => PROTECTION_KEY,
  revisionOf: ({ rev }) => rev,
  fields: {
    /** Incremented with every change; changes are conditioned on it. */
    rev: number,
    /** Sorted by name. */
    labels: records('label', 'protectedAt', 'protectedBy'),
  },
  optional: {},
});

type Protection = RowOf<typeof LABEL_PROTECTION>;

/** A label that only administrators set, move and remove, in every prompt. The time is ISO 8601 in UTC. */
export type ProtectedLabel = Protection['labels'][number];

/** The protected labels, strongly consistent. If the row is missing, only administrators can change labels. */
export const readProtection = (table: Table): Promise<Protection> =>
  readSingleton(table, LABEL_PROTECTION, PROTECTION_KEY);

/** The labels that serve something else after a change than before; all if the prompt appears, disappears or is replaced. */
const changedLabels = (before: PromptHead | undefined, after: PromptHead) => {
  const names = new Set([...(before?.labels ?? []), ...after.labels].map(({ label }) => label));
  const stays = isLive(before) && isLive(after);
  return [...names].filter((label) => !stays || labelled(before, label) !== labelled(after, label));
};

/** What a change of prompts must require in its transaction so that only administrators change protected labels. */
export const requireAllowed = async (
  table: Table,
  { isAdmin }: Change,
  heads: readonly (readonly [before: PromptHead | undefined, after: PromptHead])[],
): Promise<Write[]> => {
  const changed = isAdmin ? [] : heads.flatMap(([before, after]) => changedLabels(before, after));
  if (changed.length === 0) return [];
  const { rev, labels } = await readProtection(table);
  const refused = labels.find(({ label }) => changed.includes(label));
  if (refused !== undefined)
    throw new CuevaultError(
      'label_protected',
      `The label "${refused.label}" is protected: only administrators set, move or remove it, and delete or restore a prompt that has it. Ask an administrator.`,
    );
  return [
    {
      check: { Key: PROTECTION_KEY, ...onlyIf({ rev }) },
      onConditionFailed: () => new ConflictError('prompt'),
    },
  ];
};

const changeProtection = async (
  table: Table,
  change: Change,
  action: 'label.protect' | 'label.unprotect',
  label: string,
  { rev }: Protection,
  labels: readonly ProtectedLabel[],
): Promise<readonly ProtectedLabel[]> => {
  await commitChange(table, change, { action, subject: label, name: label }, [
    await putSigned(table, LABEL_PROTECTION, { rev: rev + 1, labels }, { rev }, 'list of protected labels'),
  ]);
  return labels;
};

/** Protects a label in every prompt, and returns all protected labels. Protecting it again changes nothing. */
export const protectLabel = async (table: Table, change: Change, label: string) => {
  const seen = await readProtection(table);
  if (seen.labels.some((entry) => entry.label === label)) return seen.labels;
  assertValid(
    seen.labels.length < LIMITS.protectedLabels,
    `At most ${LIMITS.protectedLabels} labels can be protected. Remove the protection of another one first.`,
  );
  return addProtection(table, change, seen, { label, ...stamp(change, 'protected') });
};

/** Protects a label that is not among those that were read. */
export const addProtection = (table: Table, change: Change, seen: Protection, added: ProtectedLabel) => {
  const labels = [...seen.labels, added].sort((a, b) => (a.label < b.label ? -1 : 1));
  return changeProtection(table, change, 'label.protect', added.label, seen, labels);
};

/** Removes the protection of a label, and returns the labels that are still protected. */
export const unprotectLabel = async (table: Table, change: Change, label: string) => {
  const seen = await readProtection(table);
  const labels = seen.labels.filter((entry) => entry.label !== label);
  if (labels.length === seen.labels.length) {
    throw new CuevaultError('label_not_found', `The label "${label}" is not protected. Check its spelling.`);
  }
  return changeProtection(table, change, 'label.unprotect', label, seen, labels);
};
