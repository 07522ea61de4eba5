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

/**
 * Changes items one after the other; a rejected one does not keep the others from being changed. Errors: one that names
 * everything that is unchanged, and why; the error itself if there is only one item.
 * @param onUnchanged gets what is unchanged, before an error
 */
export const changeSeveral = async <Item>(
  kind: Kind<Item>,
  items: readonly Item[],
  change: (item: Item) => Promise<unknown>,
  onUnchanged?: (items: readonly Item[]) => unknown,
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
      failures.push({ item, error });
      // Later calls would fail for the same reason.
      isStopped = isTransient(error);
    }
  }
  const [first] = failures;
  if (first === undefined) return;
  await onUnchanged?.(failures.map(({ item }) => item));
  throw items.length === 1 ? first.error : new Error(messageOf(kind, items.length, failures));
};

/** The tags of an item after some are added to it, or removed from it. */
export const tagsAfter =
  (change: 'add' | 'remove', tags: readonly string[]) =>
  (before: readonly string[]): string[] =>
    change === 'add' ? [...new Set([...before, ...tags])] : before.filter((tag) => !tags.includes(tag));
