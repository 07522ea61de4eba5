import type { Content, Message, Role, Variables } from '../../../../../contract/content/content.ts';
import { FRAGMENT, fragmentNameOf } from '../../../../../contract/content/fragments.ts';
import { isPlaceholder, templatesOf } from '../../../../../contract/content/templates.ts';
import type { Found } from '../../../components/prompt-content.ts';
import { fieldsText, type TextFields, textFieldsIn } from '../versions/version-text.ts';
import { messagesIn } from './values.ts';

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
  const kept: TextFields = typeof read === 'string' ? (last ?? {}) : read;
  const { config, output, tools, metaProperties = {} } = kept;
  const body = {
    ...(content.type === 'chat'
      ? { type: 'chat' as const, messages: messages ?? typed }
      : { prompt: content.prompt }),
    ...(Object.keys(content.variables).length > 0 && { variables: content.variables }),
    ...(content.model.trim() !== '' && { model: content.model.trim() }),
    ...(config && { config }),
    ...(output && { output }),
    ...(tools && { tools: [...tools] }),
    ...(content.includes.length > 0 && { includes: [...content.includes] }),
    tags: [...content.tags],
    metaProperties,
    note: content.note,
  } satisfies Content & { note: string };
  return { body, problems };
};

/** The content to send, with its note. */
export type Body = ReturnType<typeof readContent>['body'];

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
