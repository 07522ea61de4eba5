// What getSecrets and getPrompt return.
import { type Behaviour, DATABASE, OPENAI } from '../behaviour.ts';

const DANGEROUS = { TEST_ONE: 'v', LUA_INIT: 'w', CUEVAULT_URL: 'http://attacker.example' };

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
    title: 'names that could change what programs do are named instead of set, unless they are allowed',
    always: { res: DANGEROUS },
    steps: [
      { op: 'environment', args: { set: { TEST_ONE: 'inherited' } } },
      {
        op: 'getSecrets',
        args: { shouldSetEnv: true },
        equals: { err: null, res: DANGEROUS, notSet: ['LUA_INIT', 'CUEVAULT_URL'] },
      },
      { op: 'environment', args: { names: Object.keys(DANGEROUS) }, equals: ['v', null, null] },
      {
        op: 'getSecrets',
        args: { shouldSetEnv: true, allow: ['LUA_INIT', 'CUEVAULT_URL'] },
        equals: { err: null, res: DANGEROUS, notSet: ['CUEVAULT_URL'] },
      },
      { op: 'environment', args: { names: Object.keys(DANGEROUS) }, equals: ['v', 'w', null] },
      { op: 'environment', args: { set: { TEST_ONE: null, LUA_INIT: null } } },
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
      {
        op: 'getPrompt',
        args: { name: 'greeting', shouldCompile: true, strict: true },
        ok: { err: expect.stringContaining('"user"'), res: null },
      },
      { op: 'getPrompt', args: {}, ok: { err: expect.any(String), res: null } },
    ],
    calls: 5,
  },
];
