// The AI SDK: a chat with the conversation so far, for any model.
import { generateText, type LanguageModel, type ModelMessage } from 'ai';
import { Cuevault } from 'cuevault';
import { toAISDK } from 'cuevault/adapters';

const cuevault = new Cuevault({ label: 'production', strict: true });

export const reply = async (
  model: LanguageModel,
  history: readonly ModelMessage[],
  question: string,
): Promise<string> => {
  const prompt = await cuevault.prompts.get('assistant', {
    variables: { question },
    placeholders: { history },
  });
  const { text } = await generateText({ model, ...toAISDK<ModelMessage>(prompt) });
  return text;
};
