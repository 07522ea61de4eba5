// The OpenAI SDK: a prompt as the system message, the API key from the vault.
import { Cuevault } from 'cuevault';
import OpenAI from 'openai';

const cuevault = new Cuevault({ label: 'production', strict: true });
const openai = new OpenAI({ apiKey: await cuevault.secrets.get('OPENAI_API_KEY') });

export const reply = async (user: string, question: string): Promise<string> => {
  const prompt = await cuevault.prompts.get('greeting', { variables: { user } });
  const completion = await openai.chat.completions.create({
    model: 'gpt-4.1-mini',
    messages: [
      { role: 'system', content: prompt.compiledPrompt },
      { role: 'user', content: question },
    ],
    metadata: { prompt: 'greeting', version: prompt.version ?? prompt.source },
  });
  return completion.choices[0]?.message.content ?? '';
};
