// promptfoo: a prompt function that fetches the prompt for each test case. In promptfooconfig.yaml:
//   prompts: ['file://promptfoo.ts:production', 'file://promptfoo.ts:latest']
import { Cuevault } from 'cuevault';

interface Context {
  readonly vars: Readonly<Record<string, string>>;
}

const cuevault = new Cuevault({ label: 'production', strict: true });

export const production = async ({ vars }: Context): Promise<string> =>
  (await cuevault.prompts.get('greeting', { variables: vars })).compiledPrompt;

export const latest = async ({ vars }: Context): Promise<string> =>
  (await cuevault.prompts.get('greeting', { version: 'latest', variables: vars })).compiledPrompt;
