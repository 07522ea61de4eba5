// The Vercel AI SDK: a prompt as the system prompt of any model.
import { generateText, type LanguageModel } from 'ai';
import { Cuevault } from 'cuevault';

const cuevault = new Cuevault({ label: 'production', strict: true });

export const reply = async (model: LanguageModel, user: string, question: string): Promise<string> => {
  const prompt = await cuevault.prompts.get('greeting', { variables: { user } });
  const { text } = await generateText({ model, system: prompt.compiledPrompt, prompt: question });
  return text;
};
