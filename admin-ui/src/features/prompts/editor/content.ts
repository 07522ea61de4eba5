import type { Content, Message, Tool, VariableDeclaration } from '../../../../../contract/content/content.ts';
import type { JsonObject } from '../../../../../contract/fields/fields.ts';
import { isPlaceholder } from '../../../../../contract/templates.ts';
import type { Found } from '../../../components/prompt-content.ts';
import { formatObject, parseObject } from '../try-it/json-object.ts';
import { declarationOf, type EditedVariable, editedVariable, messagesIn, toolsOf } from './fields/values.ts';

/** A message in the editor, with a key that it keeps when it moves. */
export interface EditedMessage {
  readonly key: number;
  readonly message: Message;
}

/** The edited content; JSON as typed text. */
export interface Edited {
  readonly type: 'text' | 'chat';
  readonly prompt: string;
  readonly messages: readonly EditedMessage[];
  /** The text of the messages while they are edited as JSON. */
  readonly messagesJson?: string | undefined;
  readonly variables: readonly EditedVariable[];
  readonly model: string;
  readonly config: string;
  readonly schema: string;
  readonly tools: string;
  /** Fragments, as `name@version`. */
  readonly includes: readonly string[];
  readonly tags: readonly string[];
  readonly metadata: string;
  readonly note: string;
}

export const EMPTY: Edited = {
  ...{ type: 'text', prompt: '', messages: [], variables: [] },
  ...{ model: '', config: '', schema: '', tools: '', includes: [], tags: [], metadata: '', note: '' },
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
  variables: Object.entries(found.variables ?? {}).map(([name, each]) => editedVariable(name, each)),
  model: found.model ?? '',
  config: formatObject(found.config ?? {}),
  schema: formatObject(found.output?.schema ?? {}),
  tools: found.tools === undefined ? '' : JSON.stringify(found.tools, undefined, 2),
  includes: found.includes ?? [],
  tags: found.tags,
  metadata: formatObject(found.metaProperties),
  note: found.note,
});

/** The content to send, with its note. */
export type Body = Content & {
  readonly messages?: Message[] | undefined;
  readonly tools?: Tool[] | undefined;
  readonly includes?: string[] | undefined;
  readonly tags: string[];
  readonly metaProperties: JsonObject;
  readonly note: string;
};

/** The content in the editor: fields that cannot be read yet have their last value, and a sentence each says why. */
export interface Reading {
  readonly body: Body;
  readonly problems: readonly string[];
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/** Reads an object; `what` names it in the sentence. */
const reader = (problems: string[]) => ({
  read: <Value>(what: string, kind: string, value: Value | undefined, last: Value): Value => {
    if (value === undefined) problems.push(`The ${what} is not saved: it is not ${kind}.`);
    return value ?? last;
  },
  declarations: (variables: readonly EditedVariable[], last: Content['variables']) =>
    Object.fromEntries(
      variables.flatMap((each): [string, VariableDeclaration][] => {
        const declaration = declarationOf(each);
        if (typeof declaration !== 'string') return [[each.name, declaration]];
        problems.push(`The variable ${each.name} is not saved: ${declaration}.`);
        const before = last !== undefined && Object.hasOwn(last, each.name) ? last[each.name] : undefined;
        return before === undefined ? [] : [[each.name, before]];
      }),
    ),
});

/**
 * Reads the content in the editor.
 * @param last - What was read before.
 */
export const readContent = (content: Edited, last?: Body): Reading => {
  const problems: string[] = [];
  const { read, declarations } = reader(problems);
  const json = content.messagesJson;
  const typed = content.messages.map(({ message }) => message);
  const messages =
    content.type === 'chat' && json !== undefined
      ? read('JSON of the messages', 'an array of messages', messagesIn(json), typed)
      : typed;
  const config = read('configuration', 'a JSON object', parseObject(content.config), last?.config ?? {});
  const schema = read(
    'output schema',
    'a JSON object',
    parseObject(content.schema),
    last?.output?.schema ?? {},
  );
  const tools = read('list of tools', 'a JSON array of tools', toolsOf(content.tools), [
    ...(last?.tools ?? []),
  ]);
  const variables = declarations(content.variables, last?.variables);
  const metaProperties = read(
    'metadata',
    'a JSON object',
    parseObject(content.metadata),
    last?.metaProperties ?? {},
  );
  const body = {
    ...(content.type === 'chat' ? { type: 'chat' as const, messages } : { prompt: content.prompt }),
    ...(!isEmpty(variables) && { variables }),
    ...(content.model.trim() !== '' && { model: content.model.trim() }),
    ...(!isEmpty(config) && { config }),
    ...(!isEmpty(schema) && { output: { schema } }),
    ...(tools.length > 0 && { tools }),
    ...(content.includes.length > 0 && { includes: [...content.includes] }),
    ...{ tags: [...content.tags], metaProperties, note: content.note },
  };
  return { body, problems };
};

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
  const found = listed?.length ? listed : [{ role: 'user' as const, content: content.prompt }];
  return { ...content, type, messages: found.map(edited) };
};
