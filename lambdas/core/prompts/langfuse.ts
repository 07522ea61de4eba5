import type { Message } from '../../../contract/content/content.ts';
import { isPlaceholder } from '../../../contract/content/templates.ts';
import type { JsonObject } from '../../../contract/fields/fields.ts';
import { integerOf, MAJOR, MINOR } from './prompts.ts';

// Prompts as Langfuse's API has them: versions are whole numbers, and messages have a type.

/** The version with a whole number from 1 to 999,999,999,999,999; below 1,000,000 it is the major version. */
export const versionOfInteger = (integer: number): string => {
  const whole = integer < MAJOR ? integer * MAJOR : integer;
  return [Math.floor(whole / MAJOR), Math.floor((whole % MAJOR) / MINOR), whole % MINOR].join('.');
};

const messageOf = (message: Message) =>
  isPlaceholder(message)
    ? { type: 'placeholder' as const, name: message.name }
    : { type: 'chatmessage' as const, ...message };

/** A prompt, as the reader returns it, in the form of Langfuse. */
export const langfusePrompt = (
  prompt: {
    readonly name: string;
    readonly version: string;
    readonly prompt: string;
    readonly messages?: readonly Message[] | undefined;
    readonly config?: JsonObject | undefined;
    readonly tags: readonly string[];
  },
  head: {
    readonly latest: string;
    readonly labels: readonly { readonly label: string; readonly version: string }[];
  },
) => {
  const { name, version, messages, config = {}, tags } = prompt;
  const pointing = head.labels.filter((each) => each.version === version).map(({ label }) => label);
  const labels = [...new Set([...(version === head.latest ? ['latest'] : []), ...pointing])];
  return {
    name,
    version: integerOf(version),
    config,
    labels,
    tags,
    type: messages === undefined ? ('text' as const) : ('chat' as const),
    prompt: messages?.map(messageOf) ?? prompt.prompt,
  };
};
