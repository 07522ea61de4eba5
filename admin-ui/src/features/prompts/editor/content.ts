import {
  type Content,
  type Message,
  ROLES,
  type Role,
  type Variables,
  type VariableType,
} from '../../../../../contract/content/content.ts';
import { FRAGMENT, fragmentNameOf } from '../../../../../contract/content/fragments.ts';
import { isPlaceholder, templatesOf } from '../../../../../contract/content/templates.ts';
import { fits } from '../../../../../contract/content/variables.ts';
import { isObject } from '../../../../../contract/fields/patterns.ts';
import type { Found } from '../../../components/prompt-content.ts';
import { fieldsText, type TextFields, textFieldsIn } from '../versions/version-text.ts';

/** The value of a text in a form; undefined if it is not of that type. */
export const readValue = (text: string, type: VariableType): unknown => {
  const value = type === 'string' ? text : parsed(text);
  return fits(value, { type }) ? value : undefined;
};

// Content in parts, as providers' requests have it. Images and files have no text.
const textOfParts = (content: unknown): string | undefined => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((part: unknown) => (isObject(part) ? part.text : undefined));
  return texts.every((text) => typeof text === 'string') ? texts.join('') : undefined;
};

const messageOf = (value: unknown): Message | undefined => {
  if (!isObject(value)) return undefined;
  const { type, name, role, content, optional } = value;
  if (type === 'placeholder' && typeof name === 'string')
    return { type, name, ...(optional === true && { optional }) };
  const known = ROLES.find((each) => each === role);
  const text = textOfParts(content);
  return known === undefined || text === undefined ? undefined : { role: known, content: text };
};

/**
 * The messages in a JSON text, as this service or a provider's request writes them; undefined if any of them is not
 * one.
 */
export const messagesIn = (text: string): Message[] | undefined => {
  const value = parsed(text);
  if (!Array.isArray(value)) return undefined;
  const messages = value.flatMap((each: unknown) => messageOf(each) ?? []);
  return messages.length === value.length ? messages : undefined;
};

/** What heads a message: its role, or the list of messages it stands for. */
export const headingOf = (message: Message): string =>
  isPlaceholder(message) ? `placeholder ${message.name}` : message.role;

/** The value of a JSON text; undefined if it is not JSON. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A message in the editor, with a key that it keeps when it moves. */
export interface EditedMessage {
  readonly key: number;
  readonly message: Message;
}

export interface Edited {
  readonly type: 'text' | 'chat';
  readonly prompt: string;
  readonly messages: readonly EditedMessage[];
  /** The text of the messages while they are edited as JSON. */
  readonly messagesJson?: string | undefined;
  readonly model: string;
  /** Fragments, as `name@version`. */
  readonly includes: readonly string[];
  readonly tags: readonly string[];
  readonly variables: Variables;
  /** Configuration, output schema, tools and metadata, as the front matter of a prompt file. */
  readonly fields: string;
  readonly note: string;
}

export const EMPTY: Edited = {
  type: 'text',
  prompt: '',
  messages: [],
  model: '',
  variables: {},
  fields: '',
  includes: [],
  tags: [],
  note: '',
};

let keys = 0;

/** A message for the editor. */
export const edited = (message: Message): EditedMessage => {
  keys += 1;
  return { key: keys, message };
};

/** The content of a version or a draft, for editing. */
export const contentOf = (found: Found): Edited => ({
  type: found.type,
  prompt: found.type === 'chat' ? '' : found.prompt,
  messages: (found.messages ?? []).map(edited),
  model: found.model ?? '',
  includes: found.includes ?? [],
  tags: found.tags,
  variables: found.variables ?? {},
  fields: fieldsText({
    config: found.config,
    output: found.output,
    tools: found.tools,
    metaProperties: found.metaProperties,
  }),
  note: found.note,
});

/**
 * Reads the content in the editor: fields that cannot be read yet have their last value, and a sentence each says why.
 * @param last - What was read before.
 */
export const readContent = (content: Edited, last?: TextFields) => {
  const problems: string[] = [];
  const json = content.messagesJson;
  const typed = content.messages.map(({ message }) => message);
  const messages = json === undefined ? typed : messagesIn(json);
  if (messages === undefined)
    problems.push('The JSON of the messages is not saved: it is not an array of messages.');
  const read = textFieldsIn(content.fields);
  if (typeof read === 'string') problems.push(`Model and output are not saved. ${read}`);
  const { config, output, tools, metaProperties = {} } = typeof read === 'string' ? (last ?? {}) : read;
  const orNone = <Value extends object>(value: Value) =>
    Object.keys(value).length === 0 ? undefined : value;
  const body: Body = {
    ...(content.type === 'chat' ? { type: 'chat', messages: messages ?? typed } : { prompt: content.prompt }),
    config,
    output,
    tools,
    variables: orNone(content.variables),
    model: content.model.trim() || undefined,
    includes: orNone(content.includes),
    tags: content.tags,
    metaProperties,
    note: content.note,
  };
  return { body, problems };
};

/** The content to send, with its note. */
export type Body = Content & { readonly note: string };

/** The content as the other type. What it had before stays, so that changing back changes nothing. */
export const ofType = (content: Edited, type: Edited['type']): Edited => {
  if (type === 'text') {
    const texts = content.messages.flatMap(({ message }) => (isPlaceholder(message) ? [] : message.content));
    return {
      ...content,
      type,
      messagesJson: undefined,
      prompt: content.prompt === '' ? texts.join('\n\n') : content.prompt,
    };
  }
  if (content.messages.length > 0) return { ...content, type };
  const listed = messagesIn(content.prompt);
  const found: readonly Message[] = listed?.length
    ? listed
    : [
        { role: 'system', content: '' },
        { role: 'user', content: content.prompt },
      ];
  return { ...content, type, messages: found.map(edited) };
};

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

/** The names of fragments that texts include, but the content does not declare: they are served as written. */
export const undeclaredIn = (content: Content): string[] => {
  const declared = (content.includes ?? []).map(fragmentNameOf);
  const named = templatesOf(content).flatMap((text) =>
    Array.from(text.matchAll(FRAGMENT), ([, name = '']) => name),
  );
  return [...new Set(named)].filter((name) => !declared.includes(name));
};
