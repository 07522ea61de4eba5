// What the options of clients and calls do.
import type { Behaviour } from '../behaviour.ts';
import type { ClientConfig } from '../driver.ts';

const GREETING = { op: 'prompts.get', args: { name: 'greeting' } } as const;
const GONE = { type: 'UnavailableError', code: 'connection_failed' };
const UNENCRYPTED = {
  type: 'CuevaultError',
  code: 'configuration',
  message: expect.stringContaining('would travel unencrypted'),
};

const CONNECTIONS: readonly Behaviour[] = [
  {
    title: 'http:// to another machine is rejected unless it is allowed',
    client: { retries: 0 },
    steps: [
      ...['http://vault.example', 'http://10.0.0.1:3000', 'http://127.0.0.1.example', 'http://0.0.0.0:9'].map(
        (url) => ({ ...GREETING, client: url, settings: { url }, error: UNENCRYPTED }),
      ),
      {
        op: 'getSecrets',
        settings: { url: 'http://vault.example' },
        ok: { err: UNENCRYPTED.message, res: null },
      },
      // Resolves to this machine, but does not look like it.
      {
        ...GREETING,
        client: 'allowed',
        settings: { url: 'http://0.0.0.0:9', allowInsecureHttp: true },
        error: GONE,
      },
      ...['http://localhost:9', 'http://cuevault.localhost:9', 'http://127.1.2.3:9', 'http://[::1]:9'].map(
        (url) => ({ ...GREETING, client: url, settings: { url, timeoutMs: 1000 }, error: GONE }),
      ),
    ],
    calls: 0,
  },
  {
    title: 'cache: true is rejected with a message',
    client: { cache: true } as unknown as ClientConfig,
    steps: [{ ...GREETING, error: { type: 'CuevaultError', code: 'configuration' } }],
    calls: 0,
  },
  {
    title: 'the timeout of a call is respected, and does not affect the next call',
    client: { retries: 0 },
    faults: ['slow', 'slow'],
    steps: [
      {
        op: 'secrets.all',
        args: { timeoutMs: 1_000 },
        error: { type: 'CuevaultTimeoutError', code: 'timeout' },
      },
      {
        op: 'prompts.get',
        args: { name: 'greeting', timeoutMs: 1_000, fallback: 'Hi' },
        ok: { source: 'fallback' },
      },
      { ...GREETING, ok: { source: 'service' } },
    ],
    calls: 3,
  },
];

const UNKNOWN_VARIABLES = {
  type: 'InvalidRequestError',
  code: 'unknown_variables',
  message: 'The prompt has no placeholder for "x", "y".',
};
const ALL = { user: 'Ada', place: 'London' };

const COMPILING: readonly Behaviour[] = [
  {
    title: 'a prompt names its variables',
    steps: [
      { ...GREETING, ok: { variables: ['user', 'place'] } },
      { service: 'down' },
      {
        op: 'prompts.get',
        args: { name: 'none', fallback: '{{b}} {{a}} {{b}}' },
        ok: { variables: ['b', 'a'] },
      },
    ],
    client: { retries: 0 },
  },
  {
    title: 'exact rejects values without a placeholder, after placeholders without a value',
    steps: [
      {
        op: 'prompts.get',
        args: { name: 'greeting', strict: 'exact', variables: { ...ALL, x: 1, y: 2 } },
        error: UNKNOWN_VARIABLES,
      },
      {
        op: 'prompts.get',
        args: { name: 'greeting', strict: 'exact', variables: { x: 1 } },
        error: { type: 'MissingVariablesError', variables: ['user', 'place'] },
      },
      {
        op: 'prompts.get',
        args: { name: 'greeting', strict: 'exact', variables: ALL },
        ok: { compiledPrompt: 'Hello Ada, welcome to London.' },
      },
    ],
  },
  {
    title: "the client's label is the default of calls that name neither version nor label",
    client: { label: 'production' },
    steps: [
      { ...GREETING, ok: { version: '1.0.0' } },
      { op: 'prompts.get', args: { name: 'greeting', version: '1.1.0' }, ok: { version: '1.1.0' } },
      { op: 'prompts.get', args: { name: 'greeting', version: 'latest' }, ok: { version: '1.1.0' } },
      { op: 'prompts.get', args: { name: 'greeting', label: 'none' }, error: { code: 'label_not_found' } },
    ],
    calls: 4,
  },
  {
    title: "CUEVAULT_LABEL is the default of the client's label",
    steps: [
      { op: 'environment', args: { set: { CUEVAULT_LABEL: 'production' } } },
      { ...GREETING, ok: { version: '1.0.0' } },
      { ...GREETING, client: 'none', settings: { label: 'none' }, error: { code: 'label_not_found' } },
      { op: 'environment', args: { set: { CUEVAULT_LABEL: null } } },
      { ...GREETING, client: 'later', ok: { version: '1.1.0' } },
    ],
  },
  {
    title: "the client's strictness is the default of compiling calls",
    client: { strict: 'exact' },
    steps: [
      { ...GREETING, ok: { compiledPrompt: null } },
      {
        op: 'prompts.get',
        args: { name: 'greeting', variables: { ...ALL, x: 1, y: 2 } },
        error: UNKNOWN_VARIABLES,
      },
      {
        op: 'prompts.get',
        args: { name: 'greeting', variables: { user: 'Ada' }, strict: false },
        ok: { compiledPrompt: 'Hello Ada, welcome to {{ place }}.' },
      },
    ],
  },
];

export const OPTIONS: readonly Behaviour[] = [...CONNECTIONS, ...COMPILING];
