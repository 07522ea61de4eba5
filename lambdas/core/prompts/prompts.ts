import type { ContentFields, Message } from '../../../contract/content/content.ts';
import type { JsonObject } from '../../../contract/fields/fields.ts';

export interface Included {
  readonly name: string;
  readonly version: string;
  /** Empty in a draft. */
  readonly contentHash: string;
}

/** What only some versions have, as its author wrote it. */
const FIELDS = ['variables', 'model', 'config', 'output', 'tools'] as const;

/** What only some versions have. */
export interface PromptExtras extends Pick<ContentFields, (typeof FIELDS)[number]> {
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

/** Those of them that are objects or lists. */
export const OBJECT_FIELDS = ['variables', 'config', 'output', 'tools', 'includes'] as const;

const EXTRAS = ['type', ...FIELDS, 'includes'] as const;

/** Only these fields of an object that has more. */
export const extrasOf = (content: PromptExtras): PromptExtras =>
  Object.fromEntries(
    EXTRAS.flatMap((name) => (content[name] === undefined ? [] : [[name, content[name]] as const])),
  );

/** The messages of a chat; undefined for a text prompt. */
export const messagesOf = ({
  type,
  prompt,
}: Pick<PromptContent, 'type' | 'prompt'>): Message[] | undefined =>
  type === 'chat' ? (JSON.parse(prompt) as Message[]) : undefined;

const PART_DIGITS = 9;

/** A version with its parts zero-padded, so that text order is precedence order. */
export const versionSortKey = (version: string): string =>
  version
    .split('.')
    .map((part) => part.padStart(PART_DIGITS, '0'))
    .join('.');

/** What a minor and a major version add to a whole number. */
export const MINOR = 1_000;
export const MAJOR = 1_000_000;

/** The whole number that Langfuse's API has for a version; 0 if it has none. */
export const integerOf = (version: string): number => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return major === 0 || minor >= MINOR || patch >= MINOR ? 0 : major * MAJOR + minor * MINOR + patch;
};
