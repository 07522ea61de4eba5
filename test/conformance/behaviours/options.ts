// What the options of clients and calls do.
import { type Behaviour, DATABASE, GONE, GREETING, greeting } from '../behaviour.ts';
import type { ClientConfig } from '../driver.ts';

const UNENCRYPTED = {
  type: 'CuevaultError',
  code: 'configuration',
  message: expect.stringContaining('would travel unencrypted'),
};

const CONNECTIONS: readonly Behaviour[] = [
  {
    title: 'http:// to another machine is rejected unless it is allowed',
    client: { maxRetries: 0 },
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
    client: { maxRetries: 0 },
    faults: ['slow', 'slow'],
    steps: [
      {
        op: 'secrets.all',
        args: { timeoutMs: 1_000 },
        error: { type: 'CuevaultTimeoutError', code: 'timeout' },
      },
      { ...greeting({ timeoutMs: 1_000, fallback: 'Hi' }), ok: { source: 'fallback' } },
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
const BOTH = { user: 'Ada', place: 'London' };

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
    client: { maxRetries: 0 },
  },
  {
    title: 'exact rejects values without a placeholder, after placeholders without a value',
    steps: [
      { ...greeting({ strict: 'exact', variables: { ...BOTH, x: 1, y: 2 } }), error: UNKNOWN_VARIABLES },
      {
        ...greeting({ strict: 'exact', variables: { x: 1 } }),
        error: { type: 'MissingVariablesError', variables: ['user', 'place'] },
      },
      {
        ...greeting({ strict: 'exact', variables: BOTH }),
        ok: { compiledPrompt: 'Hello Ada, welcome to London.' },
      },
    ],
  },
  {
    title: "the client's label is the default of calls that name neither version nor label",
    client: { label: 'production' },
    steps: [
      { ...GREETING, ok: { version: '1.0.0' } },
      { ...greeting({ version: '1.1.0' }), ok: { version: '1.1.0' } },
      { ...greeting({ version: 'latest' }), ok: { version: '1.1.0' } },
      { ...greeting({ label: 'none' }), error: { code: 'label_not_found' } },
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
    title: 'the environment of secrets is that of the call, else of the client, else CUEVAULT_ENVIRONMENT',
    steps: [
      { op: 'environment', args: { set: { CUEVAULT_ENVIRONMENT: 'none' } } },
      { op: 'secrets.all', error: { type: 'NotFoundError', code: 'environment_not_found' } },
      { op: 'getSecrets', ok: { res: null } },
      { op: 'secrets.all', args: { environment: 'default' }, ok: DATABASE },
      { op: 'getSecrets', args: { environment: 'default' }, ok: { res: DATABASE } },
      { op: 'secrets.all', client: 'default', settings: { environment: 'default' }, ok: DATABASE },
      {
        op: 'secrets.get',
        client: 'default',
        settings: { environment: 'default' },
        args: { key: 'DATABASE_URL', environment: 'other' },
        error: { code: 'environment_not_found' },
      },
      { op: 'environment', args: { set: { CUEVAULT_ENVIRONMENT: null } } },
      { op: 'secrets.all', client: 'later', ok: DATABASE },
      { op: 'secrets.all', client: 'later', args: { environment: '' }, error: { code: 'configuration' } },
    ],
  },
  {
    title: 'copies of one environment answer for no other, in memory or during an outage',
    client: { maxRetries: 0, pauseMs: 0, cache: { secretsMs: 60_000 } },
    faults: [{ res: { A: 'default' } }, { res: { A: 'staging' } }],
    steps: [
      { op: 'secrets.all', equals: { A: 'default' } },
      { op: 'secrets.all', args: { environment: 'staging' }, equals: { A: 'staging' } },
      { service: 'down' },
      { op: 'secrets.all', args: { environment: 'staging' }, equals: { A: 'staging' } },
      { op: 'secrets.get', args: { key: 'A', environment: 'default' }, equals: 'default' },
      { op: 'secrets.all', args: { environment: 'other' }, error: GONE },
    ],
  },
  {
    title: 'CUEVAULT_ENVIRONMENT is the label of prompts after CUEVAULT_LABEL; default names none',
    steps: [
      { op: 'environment', args: { set: { CUEVAULT_ENVIRONMENT: 'production' } } },
      { ...GREETING, ok: { version: '1.0.0' } },
      { ...GREETING, client: 'default', settings: { environment: 'default' }, ok: { version: '1.1.0' } },
      {
        ...GREETING,
        client: 'label',
        settings: { environment: 'default', label: 'production' },
        ok: { version: '1.0.0' },
      },
      { op: 'environment', args: { set: { CUEVAULT_LABEL: 'none' } } },
      {
        ...GREETING,
        client: 'both',
        error: {
          type: 'NotFoundError',
          code: 'label_not_found',
          status: 404,
          message: expect.stringMatching(/CUEVAULT_LABEL or, without it, CUEVAULT_ENVIRONMENT\.$/),
        },
      },
      {
        ...GREETING,
        client: 'client',
        settings: { environment: 'production' },
        ok: { version: '1.0.0' },
      },
      { op: 'environment', args: { set: { CUEVAULT_LABEL: null, CUEVAULT_ENVIRONMENT: 'default' } } },
      { ...GREETING, client: 'latest', ok: { version: '1.1.0' } },
      { op: 'environment', args: { set: { CUEVAULT_ENVIRONMENT: null } } },
    ],
  },
  {
    title: "the client's strictness is the default of compiling calls",
    client: { strict: 'exact' },
    steps: [
      { ...GREETING, ok: { compiledPrompt: null } },
      { ...greeting({ variables: { ...BOTH, x: 1, y: 2 } }), error: UNKNOWN_VARIABLES },
      {
        ...greeting({ variables: { user: 'Ada' }, strict: false }),
        ok: { compiledPrompt: 'Hello Ada, welcome to {{ place }}.' },
      },
    ],
  },
];

export const OPTIONS: readonly Behaviour[] = [...CONNECTIONS, ...COMPILING];
