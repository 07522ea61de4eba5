import { hash } from 'node:crypto';
import { hintOn } from '../../../contract/content/blocks.ts';
import { breakingChanges } from '../../../contract/content/breaking.ts';
import type { Content } from '../../../contract/content/content.ts';
import type { ContentInput } from '../../../contract/content/fields.ts';
import { canonicalContent, shortest } from '../../../contract/content/hash.ts';
import { isPlaceholder, templatesOf } from '../../../contract/content/templates.ts';
import type { VersionPart } from '../../../contract/versions.ts';
import { extrasOf, type Included, messagesOf, type PromptContent, type PromptExtras } from './prompts.ts';

/** The content alone, of an object that has more. */
export const contentOnly = (content: PromptContent): PromptContent => {
  const { prompt, authored, tags, metaProperties, note } = content;
  return { ...extrasOf(content), authored, prompt, tags, metaProperties, note };
};

/** The content as its author wrote it. */
export const authoredContent = (stored: Omit<PromptContent, 'note'>): Content => {
  const { prompt, variables } = stored.authored ?? stored;
  const { type, includes, ...extras } = extrasOf({ ...stored, variables });
  const names = includes?.map(({ name, version }) => `${name}@${version}`);
  const common = { ...extras, includes: names };
  const { tags, metaProperties } = stored;
  const messages = messagesOf({ type, prompt });
  return messages === undefined
    ? { ...common, tags, metaProperties, prompt }
    : { ...common, tags, metaProperties, type: 'chat', messages };
};

/** The content as readers get it: with its fragments expanded. */
export const servedContent = ({
  authored: _authored,
  includes: _includes,
  ...stored
}: Omit<PromptContent, 'note'>): Content => authoredContent(stored);

/** Why a content cannot include a version. One sentence for all: a key must not learn which prompts exist outside its restriction. */
export const noSuchInclude = ({ name, version }: Pick<Included, 'name' | 'version'>): string =>
  `"includes" names "${name}@${version}", but there is no such version. Check the name and the version.`;

const includedBy = (include: string): Included => {
  const at = include.lastIndexOf('@');
  return { name: include.slice(0, at), version: include.slice(at + 1), contentHash: '' };
};

/** The hint on a content in the reply to its author. */
export const hintFor = (content: ContentInput) => ({ hint: hintOn(templatesOf(content as Content)) });

/** The content of a request as it is stored: omitted fields are empty, and each tag is there once. */
export const storedContent = ({
  note = '',
  ...content
}: ContentInput & { readonly note?: string | undefined }): PromptContent => {
  const { prompt = '', messages = [], tags = [], metaProperties = {} } = content;
  const { type } = content;
  const { includes, ...extras } = shortest(content as Content);
  return {
    ...extrasOf(extras as PromptExtras),
    includes: includes?.map(includedBy),
    prompt: type === 'chat' ? JSON.stringify(messages) : prompt,
    tags: [...new Set(tags)],
    metaProperties,
    note,
  };
};

/** The hash of a content, as `contentHash` computes it. */
export const hashOf = (stored: Omit<PromptContent, 'note'>): string =>
  `sha256:${hash('sha256', canonicalContent(authoredContent(stored)))}`;

const textOnly = (content: PromptContent) => hashOf({ ...content, tags: [], metaProperties: {} });

/** The part of the version to increment: callers must adapt to what can break them; tags and metadata are remarks. */
export const proposedPart = (
  before: PromptContent,
  after: PromptContent,
  breaking: readonly unknown[] = breakingChanges(servedContent(before), servedContent(after)),
): VersionPart => {
  if (breaking.length > 0) return 'major';
  return hashOf(before) !== hashOf(after) && textOnly(before) === textOnly(after) ? 'patch' : 'minor';
};

/** The content as people read it: the template, or the messages with their roles. */
export const readableText = (stored: Pick<PromptContent, 'type' | 'prompt'>): string =>
  messagesOf(stored)
    ?.map((each) => (isPlaceholder(each) ? `[${each.name}]` : `${each.role}: ${each.content}`))
    .join('\n\n') ?? stored.prompt;
