import type { Content, Message } from '../../../../../contract/content/content.ts';
import {
  isPlaceholder,
  substitute,
  substituteMessages,
  textsFor,
  variablesIn,
} from '../../../../../contract/content/templates.ts';
import { withDefaults } from '../../../../../contract/content/variables.ts';
import type { JsonObject } from '../../../../../contract/fields/fields.ts';
import { parsed } from '../editor/content.ts';

/** The list of messages in a JSON text, with all their fields; undefined if it is not a list of objects. */
export const listOf = (text: string): JsonObject[] | undefined => {
  const value = parsed(text);
  return Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null)
    ? value
    : undefined;
};

/** The JSON text of a list of messages; empty if nothing is typed. */
export const textIn = (lists: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(lists, name) ? (lists[name] ?? '') : '';

/** The distinct placeholders for messages of a content. */
export const placeholdersOf = (content: Content) =>
  content.type === 'chat'
    ? [...new Map(content.messages.filter(isPlaceholder).map((each) => [each.name, each])).values()]
    : [];

/**
 * Compiles a content as clients do: placeholders for messages become the lists as they are, a variable without a value
 * has its default or stays as written.
 * @returns the text, or the messages and their JSON text; the variables without a value, and the required placeholders
 * without a list
 */
export const tryContent = (content: Content, values: JsonObject, lists: Readonly<Record<string, string>>) => {
  const names = variablesIn(content);
  const texts = textsFor(names, withDefaults(content.variables, values));
  const missing = names.filter((name) => !texts.has(name));
  if (content.type !== 'chat') return { text: substitute(content.prompt, texts), missing, missingLists: [] };
  const listFor = (name: string) => listOf(textIn(lists, name));
  const inserted = (message: Message): readonly JsonObject[] =>
    isPlaceholder(message)
      ? (listFor(message.name) ?? (message.optional === true ? [] : [{ ...message }]))
      : [{ ...message }];
  const messages = substituteMessages(content.messages, texts).flatMap(inserted);
  const missingLists = placeholdersOf(content)
    .filter(({ name, optional }) => optional !== true && listFor(name) === undefined)
    .map(({ name }) => name);
  return { text: JSON.stringify(messages, undefined, 2), messages, missing, missingLists };
};
