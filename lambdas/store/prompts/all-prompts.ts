import { PARTITIONS, TABLE } from '../../../contract/table.ts';
import { isCuevaultError } from '../../core/errors.ts';
import { invalidCursor } from '../../core/lists/lists.ts';
import { inIndex, queryItems, queryOnce } from '../queries.ts';
import type { Item, Table } from '../table.ts';
import type { PromptDraft } from './drafts.ts';
import { LISTED, type ListedPrompt } from './head.ts';

// These come from the index and are not verified: use them only to show lists. A change can take a moment to appear.

/** What lists show of a head. */
export const listedOf = (head: ListedPrompt): ListedPrompt => {
  const fields = LISTED.map((field) => [field, head[field]]);
  return { ...Object.fromEntries(fields), promptId: head.promptId, name: head.name };
};

/** Reads a prompt from an item of the index. */
export const listedPrompt = ({ pk, gsi1sk, listed }: Item): ListedPrompt => {
  const values = JSON.parse(String(listed)) as unknown[];
  const fields = LISTED.map((field, i) => [field, values[i] ?? undefined]);
  const promptId = String(pk).slice(PARTITIONS.prompt.length);
  const name = String(gsi1sk);
  return { ...Object.fromEntries(fields), promptId, name };
};

/** The lowest and the highest name, and the end of all names with the same beginning. */
export const LOWEST = '\u0000';
export const HIGHEST = '\u{10FFFF}';

/** The names between two, both included. */
export type NameRange = readonly [from: string, to: string];

/** A query of the prompts of a range. */
export const inNames = ([from, to]: NameRange) =>
  inIndex('prompts', `${TABLE.index.sortKey} BETWEEN :from AND :to`, { ':from': from, ':to': to });

/** All prompts by name. */
export async function* allPrompts(table: Table): AsyncGenerator<ListedPrompt> {
  for await (const item of queryItems(table, inIndex('prompts'))) yield listedPrompt(item);
}

/** Compares names as the table sorts them. */
export const compareUtf8 = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

export interface PromptsPart {
  readonly prompts: readonly ListedPrompt[];
  /** Whether there are no more in the range. */
  readonly isLast: boolean;
}

/** The order of a list by name, and the name that it continues after, which is in the range. */
interface NameOrder {
  readonly order?: 'asc' | 'desc' | undefined;
  readonly after?: string | undefined;
}

/** The first `most` prompts of a range, fewer if they take more than 1 MB, in one call. */
export const promptsIn = async (
  table: Table,
  [lowest, highest]: NameRange,
  most: number,
  { order = 'asc', after }: NameOrder = {},
): Promise<PromptsPart> => {
  const isUp = order === 'asc';
  const start = after ?? (isUp ? lowest : highest);
  if (compareUtf8(lowest, start) > 0 || compareUtf8(start, highest) > 0) throw invalidCursor();
  const query = {
    ...inNames(isUp ? [start, highest] : [lowest, start]),
    ScanIndexForward: isUp,
    ConsistentRead: false,
    Limit: most,
  };
  const { items, last } = await queryOnce(table, query, undefined);
  const prompts = items.map(listedPrompt).filter(({ name }) => name !== after);
  return { prompts, isLast: last === undefined };
};

/** Prompts that are counted: they take about 60 units. */
const COUNTED_PROMPTS = 1_000;

/** The first prompts, to count them, and whether there are more. */
export const firstPrompts = (table: Table): Promise<PromptsPart> =>
  promptsIn(table, [LOWEST, HIGHEST], COUNTED_PROMPTS);

/** Drafts that lists know of: they take about 3 units. */
const LISTED_DRAFTS = 200;

/**
 * Who saved the draft of a prompt and when, by prompt id: the first 200 in the order of their prompt ids, and none if
 * they cannot be read.
 */
export const listDrafts = async (
  table: Table,
): Promise<ReadonlyMap<string, Pick<PromptDraft, 'savedAt' | 'savedBy'>>> => {
  const query = { ...inIndex('drafts'), ConsistentRead: false, Limit: LISTED_DRAFTS };
  try {
    const { items } = await queryOnce(table, query, undefined);
    return new Map(items.map(({ gsi1sk, listed }) => [String(gsi1sk), JSON.parse(String(listed))]));
  } catch (error) {
    if (isCuevaultError(error, 'unavailable')) return new Map();
    throw error;
  }
};
