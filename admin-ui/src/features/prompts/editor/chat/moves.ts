import type { Message, Role } from '../../../../../../contract/content/content.ts';
import { isPlaceholder } from '../../../../../../contract/templates.ts';

/** The list with the item at `index` one position earlier or later; the same list at its ends. */
export const moved = <Item>(items: readonly Item[], index: number, by: -1 | 1): readonly Item[] => {
  const item = items[index];
  const to = index + by;
  if (item === undefined || to < 0 || to >= items.length) return items;
  return items.toSpliced(index, 1).toSpliced(to, 0, item);
};

/** The role that the next message most likely has. */
export const nextRole = (messages: readonly Message[]): Role => {
  const last = messages.at(-1);
  if (last === undefined) return 'system';
  return !isPlaceholder(last) && last.role === 'user' ? 'assistant' : 'user';
};
