import type { JsonObject } from '../fields/patterns.ts';
import type { Content, Message, MessagesPlaceholder } from './content.ts';

// The blanks are listed because `\s` matches different characters in other languages, and clients must agree.
// Neither blanks nor names contain braces, so no part of a template is matched from two starting points.
/** A placeholder; its first group is the name. Use only `matchAll` and `replace`, which leave no state in it. */
export const PLACEHOLDER = /\{\{[ \t\n\r\f\v]*([^{} \t\n\r\f\v]+)[ \t\n\r\f\v]*\}\}/g;

/** The distinct names of the placeholders of a template, in order of first occurrence. */
export const variablesOf = (template: string): string[] => [
  ...new Set(Array.from(template.matchAll(PLACEHOLDER), ([, name = '']) => name)),
];

/** Text of a value: a string as it is, anything else as compact JSON; undefined if its JSON is null. */
const textOf = (value: unknown) => {
  if (typeof value === 'string') return value;
  const json: string | undefined = JSON.stringify(value);
  return json === 'null' ? undefined : json;
};

/** Texts of the variables with these names that have a value. */
export const textsFor = (names: readonly string[], variables: JsonObject): Map<string, string> => {
  const texts = new Map<string, string>();
  for (const name of names) {
    const text = Object.hasOwn(variables, name) ? textOf(variables[name]) : undefined;
    if (text !== undefined) texts.set(name, text);
  }
  return texts;
};

/** The template with its placeholders replaced by these texts; one without a text stays as written. */
export const substitute = (template: string, texts: ReadonlyMap<string, string>): string =>
  template.replace(PLACEHOLDER, (placeholder, name: string) => texts.get(name) ?? placeholder);

/** Size of a compiled template, in bytes; measures each text once, however often it occurs. */
export const substitutedBytes = (
  template: string,
  texts: ReadonlyMap<string, string>,
  bytesOf: (text: string) => number,
): number => {
  const sizes = new Map(Array.from(texts, ([name, text]) => [name, bytesOf(text)]));
  let bytes = bytesOf(template);
  for (const [placeholder, name = ''] of template.matchAll(PLACEHOLDER)) {
    const size = sizes.get(name);
    if (size !== undefined) bytes += size - bytesOf(placeholder);
  }
  return bytes;
};

/** Whether a message is a placeholder for a list of messages. */
export const isPlaceholder = (message: Message): message is MessagesPlaceholder => 'type' in message;

/** The templates of a content: the prompt, or the contents of its messages. */
export const templatesOf = (content: Content): string[] =>
  content.type === 'chat'
    ? content.messages.flatMap((message) => (isPlaceholder(message) ? [] : [message.content]))
    : [content.prompt];

/** The distinct names of the variables in the templates of a content, in order of first occurrence. */
export const variablesIn = (content: Content): string[] => [
  ...new Set(templatesOf(content).flatMap(variablesOf)),
];

/**
 * The messages with the variables in each content replaced. Each content is compiled by itself, before anything is
 * serialized, so that no value can begin, end or change a message. Placeholders for messages stay as they are.
 * @param texts - Texts by the names of the variables; one without a text stays as written.
 */
export const substituteMessages = (
  messages: readonly Message[],
  texts: ReadonlyMap<string, string>,
): Message[] =>
  messages.map((message) =>
    isPlaceholder(message) ? message : { ...message, content: substitute(message.content, texts) },
  );
