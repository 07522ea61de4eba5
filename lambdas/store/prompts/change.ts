import { type AuditChange, auditChange, type Change, stamp, transactChange } from '../audit.ts';
import type { Table } from '../table.ts';
import { ConflictError, retryOnConflict, type Write } from '../transactions.ts';
import { addEvent, type PromptEvent } from './events.ts';
import { recordIncluded } from './fragments.ts';
import { type PromptHead, readPromptHead } from './head.ts';
import { requireLive } from './lookups.ts';
import { requireAllowed } from './protection.ts';
import { addVersion, putHead } from './row-writes.ts';
import type { PromptVersion } from './versions.ts';

/** The result of a change: the next head (its `rev` and change time are filled in) and the rows written with it. */
export interface Plan {
  readonly head: PromptHead;
  /** Absent if the change is not part of the prompt's timeline. */
  readonly event?: PromptEvent;
  readonly audit: Omit<AuditChange, 'subject' | 'name'>;
  readonly version?: PromptVersion;
  readonly writes?: readonly Write[];
}

/** A plan, or the head to return without writing anything. */
export type Decision = Plan | { readonly kept: PromptHead };

/**
 * Changes a prompt in one transaction, conditioned on the head that `decide` received, and returns the new head. If the
 * head has changed in the meantime, it is read and decided again, unless the caller named the expected `rev`.
 */
export const changeHead = async (
  table: Table,
  change: Change,
  promptId: string,
  rev: number | undefined,
  decide: (head: PromptHead | undefined) => Decision | Promise<Decision>,
): Promise<PromptHead> => {
  const changed = await retryOnConflict(async () => {
    const seen = await readPromptHead(table, promptId);
    if (rev !== undefined && seen !== undefined && seen.rev !== rev) return undefined;
    const plan = await decide(seen);
    return 'kept' in plan ? plan.kept : write(table, change, seen, plan);
  });
  if (changed === undefined) throw new ConflictError('prompt');
  return changed;
};

const write = async (table: Table, change: Change, seen: PromptHead | undefined, plan: Plan) => {
  const required = await requireAllowed(table, change, [[seen, plan.head]]);
  const { next, writes } = await writesOf(table, change, seen, plan);
  await transactChange(table, change, [...writes, ...required]);
  return next;
};

/**
 * The next head of a plan, and its writes: the signed head, a version, an event, the audit entry and what else the plan
 * names.
 */
export const writesOf = async (
  table: Table,
  change: Change,
  seen: PromptHead | undefined,
  { head, event, audit, version, writes = [] }: Plan,
): Promise<{ readonly next: PromptHead; readonly writes: readonly Write[] }> => {
  const { promptId, name } = head;
  const next = { ...head, rev: (seen?.rev ?? 0) + 1, ...stamp(change, 'changed') };
  // Both are signed in parallel.
  const signed = await Promise.all([
    putHead(table, next, seen),
    ...(version === undefined ? [] : [addVersion(table, version)]),
  ]);
  return {
    next,
    writes: [
      ...signed,
      ...writes,
      ...recordIncluded(next, seen),
      ...(event === undefined ? [] : [addEvent(promptId, change, event)]),
      auditChange(table, change, { ...audit, subject: promptId, name }),
    ],
  };
};

/** Like `changeHead`, for a prompt that must not be deleted. */
export const changeLiveHead = (
  table: Table,
  change: Change,
  promptId: string,
  rev: number | undefined,
  decide: (head: PromptHead) => Plan | Promise<Plan>,
): Promise<PromptHead> =>
  changeHead(table, change, promptId, rev, (head) => decide(requireLive(head, promptId)));
