import { INDEX_PARTITIONS, TABLE } from '../../../contract/table.ts';
import { queryItems, type Table } from '../table.ts';
import { PROMPT_HEAD, type PromptHead } from './head.ts';

const BY_NAME = {
  IndexName: TABLE.index.name,
  KeyConditionExpression: `${TABLE.index.partitionKey} = :prompts`,
  ExpressionAttributeValues: { ':prompts': INDEX_PARTITIONS.prompts },
};

/**
 * All prompts by name; a change can take a moment to appear. They come from the index and are not verified: use them
 * only to show lists. Errors: `unavailable`.
 */
export async function* allPrompts(table: Table): AsyncGenerator<PromptHead> {
  for await (const item of queryItems(table, BY_NAME)) yield PROMPT_HEAD.fromItem(item);
}

/** Number of prompts, and of those with a tag; a change can take a moment to appear. Errors: `unavailable`. */
export const countPrompts = async (
  table: Table,
  tag: string,
): Promise<{ readonly prompts: number; readonly tagged: number }> => {
  const names = { ExpressionAttributeNames: { '#tags': 'tags' }, ProjectionExpression: '#tags' };
  const items = await Array.fromAsync(queryItems(table, { ...BY_NAME, ...names }));
  return {
    prompts: items.length,
    tagged: items.filter(({ tags }) => (tags as readonly string[]).includes(tag)).length,
  };
};
