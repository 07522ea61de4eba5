import { substitute } from '../templates.ts';
import { isPlaceholder, type Message } from './content.ts';

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
