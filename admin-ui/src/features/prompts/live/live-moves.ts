import type { ResultOf } from '../../../../../contract/documentation.ts';
import { LATEST } from '../labels/label-names.ts';

type AuditEntry = ResultOf<'audit-list'>['entries'][number];

/** Another version went live. */
export interface LiveMove {
  readonly promptId: string;
  readonly name: string;
  /** Undefined if the label was new, or if that is not recorded. */
  readonly from?: string | undefined;
  /** Undefined if the label was removed. */
  readonly to: string | undefined;
  readonly at: string;
  readonly actor: string;
  /** Whether nothing has moved it since. */
  readonly isLast: boolean;
}

const MOVES = ['label.set', 'label.remove', 'version.publish', 'prompt.create'];

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** What went live under a label, from entries of the audit log, newest first. */
export const liveMoves = (entries: readonly AuditEntry[], label: string): LiveMove[] => {
  const moved = new Set<string>();
  return entries.flatMap(({ subject: promptId, name, at, actor, action, details }) => {
    const isOther = label === LATEST ? action !== 'version.publish' : details.label !== label;
    if (isOther || !MOVES.includes(action)) return [];
    const isLast = !moved.has(promptId);
    moved.add(promptId);
    const from = label === LATEST ? undefined : textOf(details.from);
    const to = action === 'label.remove' ? undefined : textOf(details.to ?? details.version);
    return [{ promptId, name, from, to, at, actor, isLast }];
  });
};
