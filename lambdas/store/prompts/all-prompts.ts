import { TABLE } from '../../../contract/table.ts';
import { isCuevaultError } from '../../core/errors.ts';
import { inIndex, queryItems, queryOnce } from '../queries.ts';
import type { Table } from '../table.ts';
import { PROMPT_HEAD, type PromptHead } from './head.ts';

/**
 * All prompts by name; a change can take a moment to appear. They come from the index and are not verified: use them
 * only to show lists. Errors: `unavailable`.
 */
export async function* allPrompts(table: Table): AsyncGenerator<PromptHead> {
  for await (const item of queryItems(table, inIndex('prompts'))) yield PROMPT_HEAD.fromItem(item);
}

/** Number of prompts, and of those with a tag; a change can take a moment to appear. Errors: `unavailable`. */
export const countPrompts = async (
  table: Table,
  tag: string,
): Promise<{ readonly prompts: number; readonly tagged: number }> => {
  const names = { ExpressionAttributeNames: { '#tags': 'tags' }, ProjectionExpression: '#tags' };
  const items = await Array.fromAsync(queryItems(table, { ...inIndex('prompts'), ...names }));
  return {
    prompts: items.length,
    tagged: items.filter(({ tags }) => (tags as readonly string[]).includes(tag)).length,
  };
};

/** Whose draft a prompt has. */
export interface DraftBy {
  /** ISO 8601 in UTC. */
  readonly savedAt: string;
  readonly savedBy: string;
}

/**
 * Who saved the draft of a prompt and when, by prompt id. They come from the index: use them only to show lists. Reading
 * it takes the size of whole drafts, so this reads one page, 1 MB of them in the order of their prompt ids, and returns
 * none if the page cannot be read.
 */
export const listDrafts = async (table: Table): Promise<ReadonlyMap<string, DraftBy>> => {
  const query = {
    ...inIndex('drafts'),
    ProjectionExpression: `${TABLE.index.sortKey}, savedAt, savedBy`,
    ConsistentRead: false,
  };
  try {
    const { items } = await queryOnce(table, query, undefined);
    return new Map(
      items.map(({ gsi1sk, savedAt, savedBy }) => [
        String(gsi1sk),
        { savedAt: String(savedAt), savedBy: String(savedBy) },
      ]),
    );
  } catch (error) {
    if (isCuevaultError(error, 'unavailable')) return new Map();
    throw error;
  }
};
