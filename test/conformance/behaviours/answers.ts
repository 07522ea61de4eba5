// How clients handle the replies of a healthy service.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ADDRESS,
  type Behaviour,
  DATABASE,
  FOLDER,
  GREETING,
  greeting,
  OPENAI,
  type Step,
} from '../behaviour.ts';

const FIRST = 'Hello {{user}}!';
const LATEST = 'Hello {{user}}, welcome to {{ place }}.';

const PROMPTS: readonly Behaviour[] = [
  {
    title: 'a prompt without version is the latest, with its template unchanged',
    steps: [
      {
        ...GREETING,
        ok: {
          promptId: expect.stringMatching(/^prm_/),
          name: 'greeting',
          version: '1.1.0',
          tags: ['sample'],
          metaProperties: expect.any(Object),
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
      { ...greeting({ version: '1.0.0' }), ok: { version: '1.0.0', prompt: FIRST } },
      { ...greeting({ label: 'production' }), ok: { version: '1.0.0' } },
    ],
    calls: 2,
  },
  {
    title: 'variables are inserted literally, and placeholders without a value stay as written',
    steps: [
      {
        ...greeting({ variables: { user: '{{ place }} $& \\' } }),
        ok: { prompt: LATEST, compiledPrompt: 'Hello {{ place }} $& \\, welcome to {{ place }}.' },
      },
    ],
  },
  {
    title: 'strict names every variable without a value',
    steps: [
      {
        ...greeting({ strict: true }),
        error: {
          type: 'MissingVariablesError',
          code: 'missing_variables',
          status: null,
          variables: ['user', 'place'],
        },
      },
      {
        ...greeting({ strict: true, variables: { user: 'Ada', place: 'London' } }),
        ok: { compiledPrompt: 'Hello Ada, welcome to London.' },
      },
    ],
  },
  {
    title: 'metadata of a call is accepted, does not select the prompt, and an invalid call is an error',
    steps: [
      ...[7, 8].map((user) => ({ ...greeting({ metaProperties: { user } }), ok: { name: 'greeting' } })),
      {
        ...greeting({ version: '1.0' }),
        error: { type: 'InvalidRequestError', code: 'invalid_request', status: 400 },
      },
      {
        ...greeting({ variables: ['Ada'] }),
        error: { type: 'InvalidRequestError', code: 'invalid_request', status: null },
      },
    ],
    calls: 2,
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
      { ...greeting({ version: '9.9.9' }), error: { code: 'version_not_found' } },
      { ...greeting({ label: 'none' }), error: { code: 'label_not_found' } },
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
      { op: 'secrets.all', args: { tags: [] }, equals: { ...OPENAI, ...DATABASE } },
      {
        op: 'secrets.get',
        args: { key: 'OPENAI_API_KEY', tags: ['database'] },
        error: { code: 'secret_not_found' },
      },
    ],
    calls: 7,
  },
  {
    title: 'reading a secret without its key fails before anything is sent',
    steps: ['', null, 7, ['A']].map((key) => ({
      op: 'secrets.get',
      args: { key },
      error: { type: 'InvalidRequestError', code: 'invalid_request', status: null },
    })),
    calls: 0,
  },
];

const MISSING = expect.stringMatching(/^The API key is missing: pass .+ CUEVAULT_API_KEY_FILE to a file/);
const REFUSED = { type: 'AuthenticationError', code: 'unauthenticated', status: 401 };

const KEYS: readonly Behaviour[] = [
  {
    title: 'a wrong API key is an AuthenticationError, also for the helpers',
    client: { apiKey: 'cue_wrong' },
    steps: [
      { ...greeting({ fallback: 'never' }), error: REFUSED },
      { op: 'secrets.all', error: REFUSED },
      { op: 'getSecrets', ok: { err: expect.any(String), res: null } },
      { op: 'getPrompt', args: { name: 'greeting' }, ok: { err: expect.any(String), res: null } },
    ],
    calls: 4,
  },
  {
    title: 'the environment is read at the first call, where the API key may be in a file',
    client: { apiKey: undefined },
    steps: [
      { op: 'secrets.all', error: { code: 'configuration', message: MISSING } },
      { op: 'getSecrets', equals: { err: MISSING, res: null } },
      { op: 'getPrompt', args: { name: 'greeting' }, equals: { err: MISSING, res: null } },
      { op: 'environment', args: { set: { CUEVAULT_API_KEY_FILE: `${FOLDER}/key` } } },
      { op: 'secrets.all', ok: OPENAI },
      { op: 'environment', args: { set: { CUEVAULT_API_KEY_FILE: null } } },
      { op: 'secrets.all', ok: OPENAI },
    ],
    calls: 2,
  },
  {
    title: 'address and API key of a client win over those of the environment',
    steps: [
      {
        op: 'environment',
        args: { set: { CUEVAULT_URL: 'http://127.0.0.1:9', CUEVAULT_API_KEY: 'cue_wrong' } },
      },
      { op: 'secrets.all', ok: OPENAI },
      { op: 'getSecrets', ok: { err: null } },
      { op: 'environment', args: { set: { CUEVAULT_URL: null, CUEVAULT_API_KEY: null } } },
    ],
    calls: 2,
  },
  {
    title: 'blanks and a slash around the address do not matter',
    client: { url: ` ${ADDRESS}/\n` },
    steps: [{ op: 'secrets.all', ok: OPENAI }],
    calls: 1,
  },
];

const NO_TRUST = Object.fromEntries(
  [
    'CUEVAULT_TRUST',
    'CUEVAULT_API_KEY',
    'CUEVAULT_IDENTITY_TOKEN_FILE',
    'CUEVAULT_OFFLINE_KEY',
    'ACTIONS_ID_TOKEN_REQUEST_URL',
    'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
    'AWS_REGION',
    'AWS_DEFAULT_REGION',
  ].map((name) => [name, null]),
);
const TRUST = { ...NO_TRUST, CUEVAULT_TRUST: 'cuevault:prod:3fGh7KmP' };
const GITHUB = {
  ...TRUST,
  ACTIONS_ID_TOKEN_REQUEST_URL: `${ADDRESS}/?a=1`,
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'job',
};
const setting = (set: object) => ({ op: 'environment', args: { set } }) as const;

const FRESH = { op: 'secrets.all', args: { fresh: true } } as const;
/** A token that expires in half a minute, and one that does not. */
const [ENDING = '', LASTING = ''] = [Date.now() / 1_000 + 30, 2 ** 33].map(
  (exp) => `a.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.c`,
);
const ASKED = 'job?a=1&audience=cuevault%3Aprod%3A3fGh7KmP';
const NO_TOKEN = [
  ['503', 'status 503'],
  ['HTML 200', '(SyntaxError|JSONDecodeError)'],
  ['reset', '(UND_ERR_SOCKET|RemoteProtocolError)'],
] as const;

const TRUSTS: readonly Behaviour[] = [
  {
    title: 'the token of a trust is read from its file for each request, and nobody has offline copies by it',
    client: { apiKey: undefined, events: true, offline: { directory: FOLDER } },
    always: { res: OPENAI },
    steps: [
      setting({ ...TRUST, CUEVAULT_IDENTITY_TOKEN_FILE: `${FOLDER}/token` }),
      ...['a.b.c', 'd.e.f'].flatMap((token): Step[] => [
        { inFolder: (folder) => writeFileSync(join(folder, 'token'), `${token}\n`) },
        { ...FRESH, equals: OPENAI },
      ]),
      { sent: ['Bearer a.b.c', 'Bearer d.e.f'] },
      { op: 'events', ok: expect.arrayContaining([expect.objectContaining({ type: 'offline_failed' })]) },
      setting(NO_TRUST),
    ],
  },
  {
    title: 'a trust without a token, or beside an API key, is refused with a reason',
    client: { apiKey: undefined },
    steps: [
      ...[
        [{}, 'there is no token'] as const,
        [{ CUEVAULT_API_KEY: 'cue_x' }, 'both set'] as const,
        [{ CUEVAULT_IDENTITY_TOKEN_FILE: '/nowhere/token' }, 'cannot be read (ENOENT)'] as const,
      ].flatMap(([variables, reason]): Step[] => [
        setting({ ...TRUST, ...variables }),
        {
          op: 'secrets.all',
          client: reason,
          error: { code: 'configuration', message: expect.stringContaining(reason) },
        },
      ]),
      setting(NO_TRUST),
    ],
    calls: 0,
  },
  {
    title: 'on GitHub, one request gets a token for the audience, and another one when it is about to expire',
    client: { apiKey: undefined, cache: false },
    faults: [{ value: ENDING }, { res: OPENAI }, { value: LASTING }],
    always: { res: OPENAI },
    steps: [
      setting(GITHUB),
      FRESH,
      { ...FRESH, concurrency: 2 },
      { sent: [ASKED, ENDING, ASKED, LASTING, LASTING].map((each) => `Bearer ${each}`) },
      setting(NO_TRUST),
    ],
  },
  {
    title:
      'while the token service of a platform fails, the error is ours, with its name, and a copy answers',
    client: { apiKey: undefined, maxRetries: 0, pauseMs: 0, offline: { directory: FOLDER } },
    faults: [{ value: ENDING }, { res: OPENAI }, ...NO_TOKEN.flatMap(([fault]) => [fault, fault])],
    always: '403',
    steps: [
      setting({ ...GITHUB, CUEVAULT_OFFLINE_KEY: 'k'.repeat(32) }),
      FRESH,
      ...NO_TOKEN.flatMap(([, reason]): Step[] => [
        { op: 'secrets.all', equals: OPENAI },
        {
          ...FRESH,
          error: {
            type: 'UnavailableError',
            message: expect.stringMatching(`^GitHub gave no token for CUEVAULT_TRUST .${reason}.\\.$`),
          },
        },
      ]),
      {
        op: 'secrets.all',
        error: { code: 'configuration', message: expect.stringContaining('(status 403)') },
      },
      setting(NO_TRUST),
    ],
  },
];

export const ANSWERS: readonly Behaviour[] = [...PROMPTS, ...SECRETS, ...KEYS, ...TRUSTS];
