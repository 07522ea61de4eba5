import { isPlaceholder } from '../../../../contract/content/templates.ts';
import { InvalidRequestError } from '../errors.ts';
import { invalidCall } from '../refusals.ts';
import { isObject, type JsonObject, type PromptMessage, quoted } from '../wire.ts';
import { isLost } from './templates.ts';

/** Lists of messages for the placeholders of a chat, by name. */
export type Placeholders = { readonly [name: string]: readonly object[] | undefined };

/**
 * The lists that a caller sent for the placeholders of these messages, without those that are null.
 * Errors: `invalid_request` for a name without a placeholder, or for anything but lists of objects.
 */
export const checkedLists = (
  messages: readonly PromptMessage[],
  lists: object,
): Map<string, JsonObject[]> => {
  const names = new Set(messages.filter(isPlaceholder).map(({ name }) => name));
  const sent = Object.entries(lists).filter(([, list]) => (list ?? undefined) !== undefined);
  for (const [name, list] of sent) {
    if (!names.has(name)) {
      const others = names.size > 0 ? `, only: ${quoted(names)}` : '';
      throw invalidCall(`The prompt has no placeholder for messages ${quoted([name])}${others}.`);
    }
    if (!(Array.isArray(list) && list.every((each) => isObject(each) && !isLost(each)))) {
      throw invalidCall(`The placeholder ${quoted([name])} must be a list of message objects.`);
    }
  }
  return new Map(sent);
};

/**
 * The messages with the lists of the caller in place of placeholders, each message as it is.
 * Errors: `missing_placeholders`, which names all.
 */
export const inserted = (
  messages: readonly PromptMessage[],
  lists: ReadonlyMap<string, JsonObject[]>,
): JsonObject[] => {
  const missing = messages
    .filter(isPlaceholder)
    .filter(({ name, optional }) => !optional && !lists.has(name));
  if (missing.length > 0) {
    throw new InvalidRequestError(
      `The prompt needs messages for ${quoted(new Set(missing.map(({ name }) => name)))}. Add it to "placeholders".`,
      { code: 'missing_placeholders' },
    );
  }
  return messages.flatMap((message) =>
    isPlaceholder(message) ? (lists.get(message.name) ?? []) : [{ ...message }],
  );
};
