import type { Restored } from '../../../contract/backup.ts';

/** What happened to a row: it was written, it exists already, or something else exists in its place. */
export type Outcome =
  | 'written'
  | 'unchanged'
  | { readonly kind: string; readonly id: string; readonly name: string };

export const summarize = (outcomes: readonly Outcome[]): Restored => ({
  written: outcomes.filter((each) => each === 'written').length,
  unchanged: outcomes.filter((each) => each === 'unchanged').length,
  kept: outcomes.flatMap((each) => (typeof each === 'object' ? [each] : [])),
});

/** Whether two rows have the same signed fields. */
export const isSameRow = <Entity>(
  { fieldsOf }: { readonly fieldsOf: (entity: Entity) => readonly unknown[] },
  one: Entity,
  other: Entity,
): boolean => JSON.stringify(fieldsOf(one)) === JSON.stringify(fieldsOf(other));
