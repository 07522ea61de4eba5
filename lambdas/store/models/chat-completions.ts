import * as z from 'zod/mini';
import { isInstruction } from '../../../contract/content/content.ts';
import type { AskModel, ModelRequest } from '../../core/models.ts';

const REPLY_CHARACTERS = 1_000_000;

const toolCall = z.object({ function: z.object({ name: z.string(), arguments: z.string() }) });
const completion = z.object({
  choices: z.array(
    z.object({
      message: z.object({
        content: z.nullish(z.string()),
        tool_calls: z.nullish(z.array(toolCall)),
      }),
      finish_reason: z.nullish(z.string()),
    }),
  ),
  usage: z.nullish(z.object({ prompt_tokens: z.number(), completion_tokens: z.number() })),
});

const bodyOf = ({ model, messages, tools, inference }: ModelRequest) => ({
  model,
  // Not all that speak this protocol know the role `developer`.
  messages: messages.map((each) => ({
    role: isInstruction(each) ? 'system' : each.role,
    content: each.content,
  })),
  max_tokens: inference.maxTokens,
  temperature: inference.temperature,
  top_p: inference.topP,
  stop: inference.stopSequences,
  tools:
    tools.length === 0
      ? undefined
      : tools.map(({ name, description, inputSchema: parameters }) => ({
          type: 'function',
          function: { name, description, parameters },
        })),
});

/** Asks an address that speaks OpenAI's chat completions, such as `https://api.openai.com/v1`. */
export const connectChatCompletions =
  (url: string, key: string | undefined): AskModel =>
  async (request, signal) => {
    const response = await fetch(`${url.replace(/\/$/, '')}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(bodyOf(request)),
      // The text and the key are for this address alone.
      redirect: 'error',
      signal,
    });
    const text = (await response.text()).slice(0, REPLY_CHARACTERS);
    if (!response.ok) throw new Error(`status ${response.status}: ${text}`);
    const { choices, usage } = completion.parse(JSON.parse(text));
    const [choice] = choices;
    return {
      text: choice?.message.content ?? '',
      toolCalls: (choice?.message.tool_calls ?? []).map((call) => ({
        name: call.function.name,
        input: call.function.arguments,
      })),
      inputTokens: usage?.prompt_tokens ?? 0,
      outputTokens: usage?.completion_tokens ?? 0,
      stop: choice?.finish_reason ?? '',
    };
  };
