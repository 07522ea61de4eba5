import type { Placeholders } from './chat.ts';

/**
 * The prompts of an application, filled in by the file that `cuevault types` writes:
 * `interface PromptTypes { greeting: { variables: { user: unknown }; labels: 'production' } }`. Without it, every name and
 * every variable is accepted.
 */
// biome-ignore lint/suspicious/noEmptyInterface: declaration merging fills it in.
export interface PromptTypes {}

/** Names of prompts. */
export type PromptName = keyof PromptTypes extends never ? string : keyof PromptTypes & string;

type TypeOf<Name extends string, Field extends string, Default> = Name extends keyof PromptTypes
  ? PromptTypes[Name] extends { readonly [key in Field]: infer Type }
    ? Type
    : Default
  : Default;

/** Values for the placeholders of a prompt. */
export type VariablesOf<Name extends string> = TypeOf<Name, 'variables', object>;

/** Lists of messages for the placeholders of a chat. */
export type PlaceholdersOf<Name extends string> = TypeOf<Name, 'placeholders', Placeholders>;

/** Labels of a prompt. */
export type LabelOf<Name extends string> = TypeOf<Name, 'labels', string>;
