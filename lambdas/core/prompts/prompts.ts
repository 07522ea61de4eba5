import { createHash } from 'node:crypto';
import {
  type Content,
  type ContentFields,
  isPlaceholder,
  type Message,
  shortest,
} from '../../../contract/content/content.ts';
import type { ContentInput } from '../../../contract/content/fields.ts';
import { canonicalContent } from '../../../contract/content/hash.ts';
import type { JsonObject } from '../../../contract/fields/fields.ts';

/** A version that another one includes. */
export interface Included {
  readonly name: string;
  readonly version: string;
  /** Empty in a draft. */
  readonly contentHash: string;
}

/** What only some versions have. */
export interface PromptExtras
  extends Pick<ContentFields, 'variables' | 'model' | 'config' | 'output' | 'tools'> {
  /** Absent for a text prompt. */
  readonly type?: 'chat' | undefined;
  readonly includes?: readonly Included[] | undefined;
}

/** What the author of a content with fragments wrote. */
export interface Authored extends Pick<ContentFields, 'variables'> {
  readonly prompt: string;
  /** How deep its fragments include others; 1 if they include none. */
  readonly depth: number;
}

/** The content of a version as it is stored. The contract of each operation checks it: `contract/content/`. */
export interface PromptContent extends PromptExtras {
  /** The template; of a chat, the JSON text of its messages. In a version, its fragments are expanded. */
  readonly prompt: string;
  /** Only in a version with fragments: `prompt` and `variables` as they were before the expansion. */
  readonly authored?: Authored | undefined;
  readonly tags: readonly string[];
  readonly metaProperties: JsonObject;
  readonly note: string;
}

const EXTRAS = ['type', 'variables', 'model', 'config', 'output', 'tools', 'includes'] as const;

const extrasOf = (content: PromptExtras): PromptExtras =>
  Object.fromEntries(
    EXTRAS.flatMap((name) => (content[name] === undefined ? [] : [[name, content[name]] as const])),
  );

/** The content alone, of an object that has more. */
export const contentOnly = (content: PromptContent): PromptContent => {
  const { prompt, authored, tags, metaProperties, note } = content;
  return { ...extrasOf(content), ...(authored && { authored }), prompt, tags, metaProperties, note };
};

/** What only some versions have, as JSON text; undefined if there is nothing. */
export const extrasText = (content: PromptExtras): string | undefined => {
  const text = JSON.stringify(extrasOf(content));
  return text === '{}' ? undefined : text;
};

/** Reads what `extrasText` wrote. */
export const readExtras = (text: unknown): PromptExtras =>
  typeof text === 'string' ? (JSON.parse(text) as PromptExtras) : {};

/** The messages of a chat; undefined for a text prompt. */
export const messagesOf = ({
  type,
  prompt,
}: Pick<PromptContent, 'type' | 'prompt'>): Message[] | undefined =>
  type === 'chat' ? (JSON.parse(prompt) as Message[]) : undefined;

/** The content as its author wrote it. */
export const authoredContent = (stored: Omit<PromptContent, 'note'>): Content => {
  const { prompt, variables } = stored.authored ?? stored;
  const { type, includes, ...extras } = extrasOf({ ...stored, variables });
  const names = includes?.map(({ name, version }) => `${name}@${version}`);
  const common = { ...extras, ...(names && { includes: names }) };
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

const includedBy = (include: string): Included => {
  const at = include.lastIndexOf('@');
  return { name: include.slice(0, at), version: include.slice(at + 1), contentHash: '' };
};

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
    ...(includes && { includes: includes.map(includedBy) }),
    prompt: type === 'chat' ? JSON.stringify(messages) : prompt,
    tags: [...new Set(tags)],
    metaProperties,
    note,
  };
};

/** The hash of a content, as `contentHash` computes it. */
export const hashOf = (stored: Omit<PromptContent, 'note'>): string =>
  `sha256:${createHash('sha256')
    .update(canonicalContent(authoredContent(stored)))
    .digest('hex')}`;

/** The content as people read it: the template, or the messages with their roles. */
export const readableText = (stored: Pick<PromptContent, 'type' | 'prompt'>): string =>
  messagesOf(stored)
    ?.map((each) => (isPlaceholder(each) ? `[${each.name}]` : `${each.role}: ${each.content}`))
    .join('\n\n') ?? stored.prompt;
