// LangChain: a prompt as a template. LangChain fills in the variables: {{user}} is Mustache syntax.
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { Cuevault } from 'cuevault';

const cuevault = new Cuevault({ label: 'production', strict: true });

export const reply = async (model: BaseChatModel, user: string, question: string): Promise<string> => {
  const { prompt } = await cuevault.prompts.get('greeting');
  const template = ChatPromptTemplate.fromMessages(
    [
      ['system', prompt],
      ['human', '{{question}}'],
    ],
    { templateFormat: 'mustache' },
  );
  const message = await template.pipe(model).invoke({ user, question });
  return message.text;
};
