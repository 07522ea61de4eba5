import { isTransient, messageOfChange } from '../api/api-error.ts';
import { counted } from './locale.ts';

/** What the items are called: one of them, such as "secret", and each. */
export interface Kind<Item> {
  readonly one: string;
  readonly nameOf: (item: Item) => string;
}

interface Failure<Item> {
  readonly item: Item;
  /** Absent if it was not tried because the service could not be reached for an earlier one. */
  readonly error?: unknown;
}

const reasonOf = ({ error }: Failure<unknown>): string =>
  error === undefined ? 'Not tried.' : messageOfChange(error);

const messageOf = <Item>(
  { one, nameOf }: Kind<Item>,
  total: number,
  failures: readonly Failure<Item>[],
): string => {
  const byReason = Map.groupBy(failures, reasonOf);
  const lists = [...byReason].map(
    ([reason, some]) =>
      `Unchanged and still selected: ${some.map(({ item }) => nameOf(item)).join(', ')}. ${reason}`,
  );
  const done = total - failures.length;
  return [`${done} of ${counted(total, one)} ${done === 1 ? 'is' : 'are'} done.`, ...lists].join(' ');
};

/** Some of several changes failed. `message` names everything that is unchanged, and why. */
class PartlyDone<Item> extends Error {
  override readonly name = 'PartlyDone';
  readonly unchanged: readonly Item[];

  constructor(kind: Kind<Item>, total: number, failures: readonly Failure<Item>[]) {
    super(messageOf(kind, total, failures));
    this.unchanged = failures.map(({ item }) => item);
  }
}

/**
 * Changes items one after the other; a rejected one does not keep the others from being changed. Errors: `PartlyDone`,
 * or the error itself if there is only one item.
 */
export const changeSeveral = async <Item>(
  kind: Kind<Item>,
  items: readonly Item[],
  change: (item: Item) => Promise<unknown>,
): Promise<void> => {
  const failures: Failure<Item>[] = [];
  let isStopped = false;
  for (const item of items) {
    if (isStopped) {
      failures.push({ item });
      continue;
    }
    try {
      await change(item);
    } catch (error) {
      if (items.length === 1) throw error;
      failures.push({ item, error });
      // Later calls would fail for the same reason.
      isStopped = isTransient(error);
    }
  }
  if (failures.length > 0) throw new PartlyDone(kind, items.length, failures);
};

/** Which of the items a failure of `changeSeveral` has left unchanged. */
export const unchangedBy = <Item>(error: unknown, items: readonly Item[]): readonly Item[] =>
  error instanceof PartlyDone ? error.unchanged : items;

/** The tags of an item after some are added to it, or removed from it. */
export const tagsAfter =
  (change: 'add' | 'remove', tags: readonly string[]) =>
  (before: readonly string[]): string[] =>
    change === 'add' ? [...new Set([...before, ...tags])] : before.filter((tag) => !tags.includes(tag));
