// The Anthropic SDK: a chat with the conversation so far, the API key from the vault.
import Anthropic from '@anthropic-ai/sdk';
import { Cuevault } from 'cuevault';
import { toAnthropic } from 'cuevault/adapters';

const cuevault = new Cuevault({ label: 'production', strict: true });
const anthropic = new Anthropic({ apiKey: await cuevault.secrets.get('ANTHROPIC_API_KEY') });

type Message = Anthropic.MessageParam;

export const reply = async (history: readonly Message[], question: string): Promise<string> => {
  const prompt = await cuevault.prompts.get('assistant', {
    variables: { question },
    placeholders: { history },
  });
  const message = await anthropic.messages.create(
    toAnthropic<Message>(prompt, { model: prompt.model ?? 'claude-haiku-4-5', max_tokens: 1024 }),
  );
  return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
};
