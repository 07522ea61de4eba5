import {
  BedrockRuntimeClient,
  type BedrockRuntimeClientConfig,
  ConverseCommand,
  type ConverseCommandInput,
} from '@aws-sdk/client-bedrock-runtime';
import { isInstruction, type TextMessage } from '../../../contract/content/content.ts';
import type { AskModel, ModelRequest } from '../../core/models.ts';

/** The SDK's type of JSON. */
type Json = NonNullable<
  NonNullable<NonNullable<ConverseCommandInput['toolConfig']>['tools']>[number]['toolSpec']
>['inputSchema'];

const roleOf = ({ role }: TextMessage) => (role === 'assistant' ? 'assistant' : 'user');

/** The messages of a conversation: roles must take turns. */
const turnsOf = (messages: readonly TextMessage[]) => {
  const turns: { role: 'user' | 'assistant'; content: { text: string }[] }[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    const block = { text: message.content };
    if (last?.role === roleOf(message)) last.content.push(block);
    else turns.push({ role: roleOf(message), content: [block] });
  }
  return turns;
};

/** The request of `Converse` (Amazon Bedrock API Reference). */
const converseInput = ({ model, messages, tools, inference }: ModelRequest): ConverseCommandInput => {
  const system = messages.filter(isInstruction).map(({ content }) => ({ text: content }));
  const toolSpecs = tools.map(({ name, description, inputSchema = { type: 'object' } }) => ({
    toolSpec: { name, ...(description && { description }), inputSchema: { json: inputSchema } as Json },
  }));
  return {
    modelId: model,
    messages: turnsOf(messages.filter((each) => !isInstruction(each))),
    ...(system.length > 0 && { system }),
    inferenceConfig: inference,
    ...(toolSpecs.length > 0 && { toolConfig: { tools: toolSpecs } }),
  };
};

/** Errors whose message is about what was sent. Those of others can name the account and its roles. */
const SHOWN = ['ValidationException', 'ThrottlingException'];

const shownError = (error: Error) =>
  SHOWN.includes(error.name)
    ? error
    : Object.assign(new Error('Amazon Bedrock gave no answer. `npm run doctor` checks the models.'), {
        name: error.name,
      });

/** Asks models of Amazon Bedrock, with the role of the function. A call is never repeated: each is billed. */
export const connectBedrock = (options: BedrockRuntimeClientConfig = {}): AskModel => {
  const client = new BedrockRuntimeClient({ maxAttempts: 1, ...options });
  return async (request, abortSignal) => {
    const command = new ConverseCommand(converseInput(request));
    const reply = await client.send(command, { abortSignal }).catch((error: Error) => {
      throw shownError(error);
    });
    const blocks = reply.output?.message?.content ?? [];
    return {
      text: blocks.map(({ text = '' }) => text).join(''),
      toolCalls: blocks.flatMap(({ toolUse }) =>
        toolUse === undefined ? [] : { name: toolUse.name ?? '', input: JSON.stringify(toolUse.input ?? {}) },
      ),
      inputTokens: reply.usage?.inputTokens ?? 0,
      outputTokens: reply.usage?.outputTokens ?? 0,
      stop: reply.stopReason ?? '',
    };
  };
};
