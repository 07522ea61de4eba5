import { type ApiKey, statusOf } from '../core/api-keys/rules.ts';
import type { PromptContent } from '../core/prompts/prompts.ts';
import type { PromptHead } from '../store/prompts/head.ts';
import type { AccessEntry } from '../store/usage/accesses.ts';

// Conversions between stored rows and the requests and replies of operators.

/** A prompt without the fields that only the store needs. */
export const promptOf = <Head extends PromptHead>({
  generation: _generation,
  reservedUpTo: _floor,
  deletedAt: _deletedAt,
  ...prompt
}: Head) => prompt;

/** An API key with its status, without its hash. */
export const keyOf = <Key extends ApiKey>(apiKey: Key, now: Date) => {
  const { hash: _hash, ...key } = apiKey;
  return { ...key, status: statusOf(apiKey, now) };
};

/** An access entry without the id of its prompt. */
export const accessOf = ({ promptId: _promptId, ...access }: AccessEntry) => access;

/** The content of a version; omitted fields are empty. */
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
