import { type Message, ROLES, type VariableType } from '../../../../../contract/content/content.ts';
import { isPlaceholder } from '../../../../../contract/content/templates.ts';
import { fits } from '../../../../../contract/content/variables.ts';
import type { JsonObject } from '../../../../../contract/fields/fields.ts';
import { isObject } from '../../../../../contract/fields/patterns.ts';

/** A value as text in a form: a string as it is, anything else as JSON. */
export const shown = (value: unknown, type: VariableType): string =>
  type === 'string' && typeof value === 'string' ? value : JSON.stringify(value);

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

/** The object in a JSON text; undefined for anything else. An empty text is an empty object. */
export const parseObject = (text: string): JsonObject | undefined => {
  const value = text.trim() === '' ? {} : parsed(text);
  return isObject(value) ? (value as JsonObject) : undefined;
};
