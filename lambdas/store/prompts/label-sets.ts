import type { ReplyTo } from '../../../contract/documentation.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { labelMovesBody } from '../../../contract/shapes/publishing.ts';
import { promptIdOf, randomBase62 } from '../../core/identifiers.ts';
import { inParallel } from '../../core/parallel.ts';
import { auditChange, type Change, transactChange } from '../audit.ts';
import type { Table } from '../table.ts';
import { retryOnConflict, type Write } from '../transactions.ts';
import { writesOf } from './change.ts';
import { addEvent } from './events.ts';
import { isLive, labelled, type PromptHead, promptNotFound, readPromptHead } from './head.ts';
import { labelMoved, requireAt } from './labels.ts';
import { requireVersion } from './lookups.ts';
import { requireAllowed } from './protection.ts';

/** Moves a label of a prompt; null: the prompt does not have it. */
export type LabelMove = InputOf<typeof labelMovesBody>['moves'][number];

type LabelsMoved = ReplyTo<'prompt-move-labels'>;

interface Moves {
  readonly head: PromptHead;
  readonly moves: readonly LabelMove[];
}

const MOVES = 'label.move-set';

/**
 * Moves labels of several prompts in one transaction, or none of them. Every label must be at its `from`, unless all
 * are already at their `to`: repeating a call changes nothing.
 */
export const moveLabels = (
  table: Table,
  change: Change,
  moves: readonly LabelMove[],
  { dryRun = false }: { readonly dryRun?: boolean | undefined } = {},
): Promise<LabelsMoved> => {
  const set = `set_${randomBase62(16)}`;
  return retryOnConflict(async () => {
    const groups = await readHeads(table, moves);
    if (
      groups.every(({ head, moves: own }) =>
        own.every(({ label, to }) => (labelled(head, label) ?? null) === to),
      )
    )
      return { moved: false };
    const plans = await inParallel(groups, async (group) => ({
      seen: group.head,
      plan: await planOf(table, change, group, set),
    }));
    const required = await requireAllowed(
      table,
      change,
      plans.map(({ seen, plan }) => [seen, plan.head]),
    );
    if (dryRun) return { moved: true };
    const signed = await inParallel(plans, ({ seen, plan }) => writesOf(table, change, seen, plan));
    const name = [...new Set(moves.map(({ label }) => label))].join(', ');
    const entry = { action: MOVES, subject: set, name, details: { moves } };
    await transactChange(table, change, [
      ...signed.flatMap(({ writes }) => writes),
      ...required,
      auditChange(table, change, entry),
    ]);
    return { moved: true, set };
  });
};

const readHeads = (table: Table, moves: readonly LabelMove[]): Promise<Moves[]> =>
  inParallel(
    Map.groupBy(moves, ({ name }) => name),
    async ([name, own]) => {
      const head = await readPromptHead(table, promptIdOf(name));
      if (!isLive(head)) throw promptNotFound(`named "${name}"`);
      return { head, moves: own };
    },
  );

const planOf = async (table: Table, change: Change, { head: seen, moves }: Moves, set: string) => {
  for (const move of moves) {
    requireAt(seen, move.label, move.from);
    if (move.to !== null) await requireVersion(table, seen, move.to);
  }
  let head = seen;
  const steps = moves.map(({ label, to }) => {
    const { event, audit, ...moved } = labelMoved(head, label, to);
    head = moved.head;
    return { event, audit: { ...audit, details: { ...audit.details, set } } };
  });
  const [first, ...others] = steps as [(typeof steps)[number], ...typeof steps];
  return {
    head,
    ...first,
    writes: others.flatMap(({ event, audit }): Write[] => {
      const entry = { ...audit, subject: seen.promptId, name: seen.name };
      return [addEvent(seen.promptId, change, event), auditChange(table, change, entry)];
    }),
  };
};
