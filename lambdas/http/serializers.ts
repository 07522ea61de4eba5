import { type ApiKey, statusOf } from '../core/api-keys/rules.ts';
import type { PromptContent } from '../core/prompts/prompts.ts';
import type { PromptHead } from '../store/prompts/head.ts';
import type { AccessEntry } from '../store/usage/accesses.ts';

// What operators see of what is stored, and what is stored of what they send.

/** A prompt without what only the store needs. */
export const promptOf = <Head extends PromptHead>({
  generation: _generation,
  reservedUpTo: _floor,
  deletedAt: _deletedAt,
  ...prompt
}: Head) => prompt;

/** An API key without its hash, and whether it lets anyone in. */
export const keyOf = <Key extends ApiKey>(apiKey: Key, now: Date) => {
  const { hash: _hash, ...key } = apiKey;
  return { ...key, status: statusOf(apiKey, now) };
};

/** An entry of the access history without the prompt that it belongs to. */
export const accessOf = ({ promptId: _promptId, ...access }: AccessEntry) => access;

/** The content of a version; what was left out is empty. */
export const contentOf = ({
  prompt,
  tags = [],
  metaProperties = {},
  note = '',
}: Pick<PromptContent, 'prompt'> & {
  [Field in keyof PromptContent]?: PromptContent[Field] | undefined;
}): PromptContent => ({
  prompt,
  tags: [...new Set(tags)],
  metaProperties,
  note,
});
