import { authoredContent, hashOf } from '../../core/prompts/contents.ts';
import { messagesOf, type PromptContent } from '../../core/prompts/prompts.ts';
import type { ListedPrompt, PromptHead } from '../../store/prompts/head.ts';
import type { AccessEntry } from '../../store/usage/accesses.ts';

// Conversions between stored rows and the requests and replies of operators, as in the other files of this folder.

/** A prompt without the fields that only the store needs. */
export const promptOf = <Head extends PromptHead>({
  generation: _generation,
  reservedUpTo: _floor,
  deletedAt: _deletedAt,
  fragments: _fragments,
  createdByKey: _createdByKey,
  ...prompt
}: Head) => withType(prompt);

/** A prompt of a list. */
export const listedOf = <Listed extends ListedPrompt>({
  reservedUpTo: _floor,
  createdByKey: _createdByKey,
  ...listed
}: Listed) =>
  withType(Object.fromEntries(Object.entries(listed)) as Omit<Listed, 'reservedUpTo' | 'createdByKey'>);

/** An object with the type of its prompt, which stored rows name only for a chat. */
export const withType = <T extends { readonly type?: 'chat' | undefined }>(stored: T) => ({
  ...stored,
  type: stored.type ?? ('text' as const),
});

/** The content of a version or draft as its author wrote it, with the messages of a chat. */
export const contentOf = <T extends PromptContent>({ authored, ...stored }: T) => {
  const { prompt, variables } = authored ?? stored;
  const messages = messagesOf({ type: stored.type, prompt });
  const { includes } = authoredContent(stored);
  return {
    ...withType(stored),
    prompt,
    variables,
    includes,
    messages,
    ...(authored && { expanded: stored.prompt, expandedVariables: stored.variables }),
  };
};

/** A version with its messages and its hash. */
export const versionOf = <T extends PromptContent>(version: T) => ({
  ...contentOf(version),
  contentHash: hashOf(version),
});

/** An access entry without the id of its prompt. */
export const accessOf = ({ promptId: _promptId, ...access }: AccessEntry) => access;
