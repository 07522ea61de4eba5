// What getSecrets and getPrompt return.
import type { Behaviour } from '../behaviour.ts';

const OPENAI = { OPENAI_API_KEY: 'sk-sample-not-a-real-key' };
const DATABASE = { DATABASE_URL: 'postgres://app:sample@localhost:5432/app' };

export const HELPERS: readonly Behaviour[] = [
  {
    title: 'getSecrets returns the envelope: all, one, by tags',
    steps: [
      { op: 'getSecrets', equals: { err: null, res: { ...OPENAI, ...DATABASE } } },
      { op: 'getSecrets', args: { key: 'DATABASE_URL' }, equals: { err: null, res: DATABASE } },
      { op: 'getSecrets', args: { tags: ['sample', 'llm'] }, equals: { err: null, res: OPENAI } },
      {
        op: 'getSecrets',
        args: { key: 'NOBODY' },
        ok: { err: expect.any(String), res: null },
      },
    ],
    calls: 4,
  },
  {
    title: 'getSecrets sets the environment only when asked to',
    steps: [
      { op: 'getSecrets', ok: { err: null } },
      { op: 'environment', args: { names: ['OPENAI_API_KEY'] }, ok: [null] },
      { op: 'getSecrets', args: { shouldSetEnv: true, tags: ['llm'] }, ok: { err: null, res: OPENAI } },
      {
        op: 'environment',
        args: { names: ['OPENAI_API_KEY', 'DATABASE_URL'] },
        ok: [OPENAI.OPENAI_API_KEY, null],
      },
    ],
  },
  {
    title: 'getPrompt returns the envelope, compiled by the service when asked to',
    steps: [
      {
        op: 'getPrompt',
        args: { name: 'greeting', version: '1.0.0' },
        ok: { err: null, res: { prompt: 'Hello {{user}}!' } },
      },
      {
        op: 'getPrompt',
        args: {
          name: 'greeting',
          label: 'production',
          shouldCompile: true,
          variables: { user: 'Ada' },
          metaProperties: { a: 1 },
        },
        ok: { err: null, res: { version: '1.0.0', compiledPrompt: 'Hello Ada!' } },
      },
      {
        op: 'getPrompt',
        args: { name: 'nobody' },
        ok: { err: expect.any(String), res: null },
      },
      { op: 'getPrompt', args: {}, ok: { err: expect.any(String), res: null } },
    ],
    calls: 4,
  },
];
