// The OpenAI SDK: a chat with the conversation so far, the API key from the vault.
import { Cuevault } from 'cuevault';
import { toOpenAI } from 'cuevault/adapters';
import OpenAI from 'openai';

const cuevault = new Cuevault({ label: 'production', strict: true });
const openai = new OpenAI({ apiKey: await cuevault.secrets.get('OPENAI_API_KEY') });

type Message = OpenAI.ChatCompletionMessageParam;

export const reply = async (history: readonly Message[], question: string): Promise<string> => {
  const prompt = await cuevault.prompts.get('assistant', {
    variables: { question },
    placeholders: { history },
  });
  const completion = await openai.chat.completions.create({
    ...toOpenAI<Message>(prompt, { model: prompt.model ?? 'gpt-4.1-mini' }),
    metadata: { prompt: 'assistant', version: prompt.version ?? prompt.source },
  });
  return completion.choices[0]?.message.content ?? '';
};
