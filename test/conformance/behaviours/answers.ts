// How clients handle the replies of a healthy service.
import type { Behaviour } from '../behaviour.ts';

const OPENAI = { OPENAI_API_KEY: 'sk-sample-not-a-real-key' };
const DATABASE = { DATABASE_URL: 'postgres://app:sample@localhost:5432/app' };

const FIRST = 'Hello {{user}}!';
const LATEST = 'Hello {{user}}, welcome to {{ place }}.';

const PROMPTS: readonly Behaviour[] = [
  {
    title: 'a prompt without version is the latest, with its template unchanged',
    steps: [
      {
        op: 'prompts.get',
        args: { name: 'greeting' },
        ok: {
          name: 'greeting',
          version: '1.1.0',
          tags: ['sample'],
          prompt: LATEST,
          compiledPrompt: null,
          source: 'service',
        },
      },
    ],
    calls: 1,
  },
  {
    title: 'an exact version and a label are respected',
    steps: [
      {
        op: 'prompts.get',
        args: { name: 'greeting', version: '1.0.0' },
        ok: { version: '1.0.0', prompt: FIRST },
      },
      { op: 'prompts.get', args: { name: 'greeting', label: 'production' }, ok: { version: '1.0.0' } },
    ],
    calls: 2,
  },
  {
    title: 'variables are inserted literally, and placeholders without a value stay as written',
    steps: [
      {
        op: 'prompts.get',
        args: { name: 'greeting', variables: { user: '{{ place }} $& \\' } },
        ok: { prompt: LATEST, compiledPrompt: 'Hello {{ place }} $& \\, welcome to {{ place }}.' },
      },
    ],
  },
  {
    title: 'strict names every variable without a value',
    steps: [
      {
        op: 'prompts.get',
        args: { name: 'greeting', strict: true },
        error: { type: 'MissingVariablesError', code: 'missing_variables', variables: ['user', 'place'] },
      },
      {
        op: 'prompts.get',
        args: { name: 'greeting', strict: true, variables: { user: 'Ada', place: 'London' } },
        ok: { compiledPrompt: 'Hello Ada, welcome to London.' },
      },
    ],
  },
  {
    title: 'metadata of a call is accepted, and an invalid call is an error',
    steps: [
      {
        op: 'prompts.get',
        args: { name: 'greeting', metaProperties: { user: 7 } },
        ok: { name: 'greeting' },
      },
      {
        op: 'prompts.get',
        args: { name: 'greeting', version: '1.0' },
        error: { type: 'InvalidRequestError', code: 'invalid_request', status: 400 },
      },
    ],
  },
  {
    title: 'a missing item is a NotFoundError that names it',
    steps: [
      {
        op: 'prompts.get',
        args: { name: 'nobody' },
        error: { type: 'NotFoundError', code: 'prompt_not_found', status: 404 },
      },
      { op: 'prompts.get', args: { promptId: 'prm_nobody' }, error: { code: 'prompt_not_found' } },
      {
        op: 'prompts.get',
        args: { name: 'greeting', version: '9.9.9' },
        error: { code: 'version_not_found' },
      },
      { op: 'prompts.get', args: { name: 'greeting', label: 'none' }, error: { code: 'label_not_found' } },
      {
        op: 'secrets.get',
        args: { key: 'NOBODY' },
        error: { type: 'NotFoundError', code: 'secret_not_found' },
      },
    ],
    calls: 5,
  },
];

const SECRETS: readonly Behaviour[] = [
  {
    title: 'secrets are read by key, all, or by tags that must all match',
    steps: [
      { op: 'secrets.get', args: { key: 'OPENAI_API_KEY' }, equals: OPENAI.OPENAI_API_KEY },
      { op: 'secrets.get', args: { key: 'OPENAI_API_KEY', tags: ['llm'] }, equals: OPENAI.OPENAI_API_KEY },
      { op: 'secrets.all', equals: { ...OPENAI, ...DATABASE } },
      { op: 'secrets.all', args: { tags: ['sample', 'llm'] }, equals: OPENAI },
      { op: 'secrets.all', args: { tags: ['llm', 'database'] }, equals: {} },
      {
        op: 'secrets.get',
        args: { key: 'OPENAI_API_KEY', tags: ['database'] },
        error: { code: 'secret_not_found' },
      },
    ],
    calls: 6,
  },
  {
    title: 'reading a secret without its key fails before anything is sent',
    steps: ['', null].map((key) => ({
      op: 'secrets.get',
      args: { key },
      error: { type: 'InvalidRequestError', code: 'invalid_request', status: null },
    })),
    calls: 0,
  },
];

const REFUSED = { type: 'AuthenticationError', code: 'unauthenticated', status: 401 };

const KEYS: readonly Behaviour[] = [
  {
    title: 'a wrong API key is an AuthenticationError, also for the helpers',
    client: { apiKey: 'cue_wrong' },
    steps: [
      { op: 'prompts.get', args: { name: 'greeting', fallback: 'never' }, error: REFUSED },
      { op: 'secrets.all', error: REFUSED },
      { op: 'getSecrets', ok: { err: expect.any(String), res: null } },
      { op: 'getPrompt', args: { name: 'greeting' }, ok: { err: expect.any(String), res: null } },
    ],
    calls: 4,
  },
  {
    title: 'an API key that is not valid in a header is rejected without being shown',
    client: { apiKey: 'cue_with\nline' },
    steps: [
      {
        op: 'secrets.all',
        error: {
          type: 'CuevaultError',
          code: 'configuration',
          message: expect.not.stringContaining('cue_with'),
        },
      },
      { op: 'getSecrets', ok: { err: expect.not.stringContaining('cue_with'), res: null } },
    ],
    calls: 0,
  },
  {
    title: 'an invalid address, or one with a password or query, is rejected without being shown',
    client: { url: 'http://ada:swordfish@localhost:1' },
    steps: [
      {
        op: 'secrets.all',
        error: { code: 'configuration', message: expect.not.stringContaining('swordfish') },
      },
      { op: 'getSecrets', ok: { err: expect.not.stringContaining('swordfish'), res: null } },
      { op: 'secrets.all', client: 'other', settings: { url: 'ftp://x' }, error: { code: 'configuration' } },
      {
        op: 'secrets.all',
        client: 'third',
        settings: { url: 'no address' },
        error: { code: 'configuration' },
      },
      ...['http://localhost:1/?stage=dev', 'http://localhost:1/?', 'http://localhost:1/#dev'].map((url) => ({
        op: 'secrets.all' as const,
        client: url,
        settings: { url },
        error: { code: 'configuration' },
      })),
    ],
    calls: 0,
  },
];

export const ANSWERS: readonly Behaviour[] = [...PROMPTS, ...SECRETS, ...KEYS];
