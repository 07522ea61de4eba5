import type { TextMessage, Tool } from '../../contract/content/content.ts';
import type { ReplyTo } from '../../contract/documentation.ts';
import type { JsonObject } from '../../contract/fields/fields.ts';
import { LIMITS } from '../../contract/limits.ts';

/** What a model is asked, whoever serves it. */
export interface ModelRequest {
  readonly model: string;
  /** At least one, and none is blank. */
  readonly messages: readonly TextMessage[];
  readonly tools: readonly Tool[];
  readonly inference: Inference;
}

export interface Inference {
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly stopSequences?: string[];
}

/** What it answers. */
export type ModelAnswer = NonNullable<ReplyTo<'prompts-try'>['answer']>;

/** Asks a model. Errors: whatever the service says, and the reason of the signal. */
export type AskModel = (request: ModelRequest, signal: AbortSignal) => Promise<ModelAnswer>;

const isPositive = (value: unknown): value is number => typeof value === 'number' && value >= 0;

/** What of a prompt's configuration every service takes, and the names of the rest. */
export const inferenceOf = (config: JsonObject) => {
  const { maxTokens, temperature, topP, stopSequences } = config;
  const isCapped = Number.isInteger(maxTokens) && isPositive(maxTokens) && maxTokens > 0;
  const areTexts = Array.isArray(stopSequences) && stopSequences.every((each) => typeof each === 'string');
  const given = {
    ...(isCapped && { maxTokens: Math.min(maxTokens, LIMITS.triedTokens) }),
    ...(isPositive(temperature) && { temperature }),
    ...(isPositive(topP) && { topP }),
    ...(areTexts && { stopSequences }),
  };
  return {
    inference: { maxTokens: LIMITS.triedTokens, ...given } satisfies Inference,
    notSent: Object.keys(config).filter((name) => !Object.hasOwn(given, name)),
  };
};
