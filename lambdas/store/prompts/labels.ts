import { LIMITS } from '../../../contract/limits.ts';
import { CuevaultError } from '../../core/errors.ts';
import type { Change } from '../audit.ts';
import type { Table } from '../table.ts';
import { changeLiveHead } from './change.ts';
import { type Label, labelled, labelNotFound, type PromptHead } from './head.ts';
import { requireVersion } from './versions.ts';

const byName = (a: Label, b: Label): number => (a.label < b.label ? -1 : 1);

export interface LabelOptions {
  /** The version that the label must point to now; `null` for a new label. */
  readonly expected?: string | null | undefined;
  /** The `rev` that the head must have now. */
  readonly rev?: number | undefined;
}

/** The head with a label that points to `version`, and where it pointed before. Errors: `invalid_request`. */
export const withLabel = (
  head: PromptHead,
  label: string,
  version: string,
): { readonly head: PromptHead; readonly from: string | null } => {
  const others = head.labels.filter((entry) => entry.label !== label);
  requireRoom(others);
  return {
    head: { ...head, labels: [...others, { label, version }].sort(byName) },
    from: labelled(head, label) ?? null,
  };
};

/**
 * Points a label to a version, wherever it pointed before.
 * Errors: `prompt_not_found`, `version_not_found`, `invalid_request`, `changed_meanwhile`, `unavailable`.
 */
export const setLabel = async (
  table: Table,
  change: Change,
  promptId: string,
  label: string,
  version: string,
  { expected, rev }: LabelOptions = {},
): Promise<PromptHead> => {
  return changeLiveHead(table, change, promptId, rev, async (seen) => {
    requireExpected(label, labelled(seen, label) ?? null, expected);
    await requireVersion(table, seen, version);
    const { head, from } = withLabel(seen, label, version);
    return {
      head,
      event: { type: 'label-set', label, from, to: version },
      audit: { action: 'label.set', details: { label, from, to: version } },
    };
  });
};

/** The head without a label, and where it pointed. Errors: `label_not_found`. */
export const withoutLabel = (
  head: PromptHead,
  label: string,
): { readonly head: PromptHead; readonly from: string } => {
  const from = labelled(head, label);
  if (from === undefined) throw labelNotFound(head.name, label);
  return { head: { ...head, labels: head.labels.filter((entry) => entry.label !== label) }, from };
};

const requireExpected = (label: string, from: string | null, expected: string | null | undefined): void => {
  if (expected === undefined || expected === from) return;
  throw new CuevaultError(
    'changed_meanwhile',
    `The label "${label}" ${from === null ? 'is not set' : `points to ${from}`} now. Reload the prompt and repeat your change.`,
  );
};

const requireRoom = (others: readonly Label[]): void => {
  if (others.length < LIMITS.labels) return;
  throw new CuevaultError(
    'invalid_request',
    `A prompt has at most ${LIMITS.labels} labels. Remove one before you set another.`,
  );
};

/**
 * Removes a label; the version stays. Errors: `prompt_not_found`, `label_not_found`, `changed_meanwhile`,
 * `unavailable`.
 */
export const removeLabel = (
  table: Table,
  change: Change,
  promptId: string,
  label: string,
  { rev }: Pick<LabelOptions, 'rev'> = {},
): Promise<PromptHead> =>
  changeLiveHead(table, change, promptId, rev, (seen) => {
    const { head, from } = withoutLabel(seen, label);
    return {
      head,
      event: { type: 'label-removed', label, from },
      audit: { action: 'label.remove', details: { label, from } },
    };
  });
