// The Anthropic SDK: a prompt as the system prompt, the API key from the vault.
import Anthropic from '@anthropic-ai/sdk';
import { Cuevault } from 'cuevault';

const cuevault = new Cuevault({ label: 'production', strict: true });
const anthropic = new Anthropic({ apiKey: await cuevault.secrets.get('ANTHROPIC_API_KEY') });

export const reply = async (user: string, question: string): Promise<string> => {
  const prompt = await cuevault.prompts.get('greeting', { variables: { user } });
  const message = await anthropic.messages.create({
    model: 'claude-haiku-4-5',
    max_tokens: 1024,
    system: prompt.compiledPrompt,
    messages: [{ role: 'user', content: question }],
  });
  return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
};
