import { LIMITS } from '../../../contract/limits.ts';
import { assertValid, CuevaultError } from '../../core/errors.ts';
import type { Change } from '../audit.ts';
import type { Table } from '../table.ts';
import { changeLiveHead, type Plan } from './change.ts';
import type { PromptEvent } from './events.ts';
import { type Label, labelled, labelNotFound, type PromptHead } from './head.ts';
import { requireVersion } from './lookups.ts';

const byName = (a: Label, b: Label) => (a.label < b.label ? -1 : 1);

export interface LabelOptions {
  /** The version that the label must point to now; `null` for a new label. */
  readonly expected?: string | null | undefined;
  /** The `rev` that the head must have now. */
  readonly rev?: number | undefined;
}

type LabelEvent = Extract<PromptEvent, { readonly label: string }>;

/** The plan that points a label of a prompt to a version, or removes it with `null`. */
export const labelMoved = (
  seen: PromptHead,
  label: string,
  to: string | null,
): Plan & { readonly event: LabelEvent } => {
  const from = labelled(seen, label) ?? null;
  const others = seen.labels.filter((entry) => entry.label !== label);
  if (to !== null) {
    assertValid(
      others.length < LIMITS.labels,
      `A prompt has at most ${LIMITS.labels} labels. Remove one before you set another.`,
    );
    return {
      head: { ...seen, labels: [...others, { label, version: to }].sort(byName) },
      event: { type: 'label-set', label, from, to },
      audit: { action: 'label.set', details: { label, from, to } },
    };
  }
  if (from === null) throw labelNotFound(seen.name, label);
  return {
    head: { ...seen, labels: others },
    event: { type: 'label-removed', label, from },
    audit: { action: 'label.remove', details: { label, from } },
  };
};

/** Requires that a label points to a version, or with `null` that it is not set. */
export const requireAt = (head: PromptHead, label: string, expected: string | null): void => {
  const now = labelled(head, label) ?? null;
  if (now === expected) return;
  const points = (version: string | null) => (version === null ? 'is not set' : `points to ${version}`);
  throw new CuevaultError(
    'changed_meanwhile',
    `The label "${label}" of "${head.name}" ${points(now)} now, and the request expects that it ${points(expected)}. Nothing was moved. Compare them, then move it again.`,
  );
};

/** Points a label to a version, wherever it pointed before, or removes it with `null`; versions stay. */
export const setLabel = (
  table: Table,
  change: Change,
  promptId: string,
  label: string,
  to: string | null,
  { expected, rev }: LabelOptions = {},
): Promise<PromptHead> =>
  changeLiveHead(table, change, promptId, rev, async (seen) => {
    if (expected !== undefined) requireAt(seen, label, expected);
    if (to !== null) await requireVersion(table, seen, to);
    return labelMoved(seen, label, to);
  });
