import { foreignText } from '../../../contract/content/visible.ts';
import type { ReplyTo } from '../../../contract/documentation.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { promptsTry } from '../../../contract/endpoints/prompts.ts';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { assertValid } from '../../core/errors.ts';
import { type AskModel, inferenceOf } from '../../core/models.ts';
import { type Change, commitChange } from '../audit.ts';
import { countCall } from '../operators/counted-calls.ts';
import { readLiveHead } from '../prompts/lookups.ts';
import type { Table } from '../table.ts';
import { connectBedrock } from './bedrock.ts';
import { connectChatCompletions } from './chat-completions.ts';

/** The models that can be asked. */
export interface Models {
  readonly ask: AskModel;
  /** Their ids; undefined for any. */
  readonly ids?: readonly string[];
}

/** The models that the environment names: those of Amazon Bedrock, or an address. */
export const connectModels = (environment: NodeJS.ProcessEnv = process.env): Models => {
  const url = environment[ENVIRONMENT.modelUrl];
  if (url !== undefined) return { ask: connectChatCompletions(url, environment[ENVIRONMENT.modelKey]) };
  const ids = environment[ENVIRONMENT.models]?.split(',') ?? [];
  return { ask: connectBedrock(), ids };
};

/** What an operator may read of a failure: it is about what they sent. */
const failureOf = (error: unknown, signal: AbortSignal) => {
  if (signal.aborted)
    return `The model did not answer within ${LIMITS.triedSeconds} seconds. The call can still be billed.`;
  const { name, message } = error instanceof Error ? error : { name: 'unknown', message: '' };
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return foreignText(`${name}: ${message}${cause}`);
};

/**
 * Asks a model, once the operator's call is counted and in the audit log; the texts are neither stored nor logged. Errors:
 * `rate_limited`; `invalid_request` for a model that is not offered; `prompt_not_found`.
 */
export const tryPrompt = async (
  table: Table,
  { ask, ids }: Models,
  change: Change,
  { model, promptId, messages, tools = [], config = {} }: InputOf<typeof promptsTry.body>,
): Promise<ReplyTo<'prompts-try'>> => {
  assertValid(
    ids?.includes(model) ?? true,
    ids?.length === 0
      ? 'No models are set up: the setting "models" names those that prompts can be tried on.'
      : `"model" must be one of ${ids?.join(', ')}.`,
  );
  const asked = messages.filter(({ content }) => content.trim() !== '');
  assertValid(
    asked.some(({ role }) => role === 'user'),
    'A model needs a message of the user that is not empty.',
  );
  const head = promptId === undefined ? undefined : await readLiveHead(table, promptId);
  await countCall(table, change.actor.id, change.at, {
    period: 'minute',
    most: LIMITS.triedPerMinute,
    sentence: `You have tried ${LIMITS.triedPerMinute} times in this minute, which is the most. Try again in the next.`,
  });
  await commitChange(table, change, {
    action: 'prompt.tried',
    subject: head?.promptId ?? 'new prompt',
    name: head?.name ?? 'new prompt',
    details: { model },
  });
  const { inference, notSent } = inferenceOf(config);
  const signal = AbortSignal.timeout(LIMITS.triedSeconds * 1_000);
  const begun = performance.now();
  const outcome = await ask({ model, messages: asked, tools, inference }, signal).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ failure: failureOf(error, signal) }),
  );
  return { ...outcome, ms: Math.round(performance.now() - begun), notSent };
};
