// The same mistake gets the same sentence in both languages; only names of options and units are those of the language.
import { execFileSync } from 'node:child_process';
import { Cuevault, type CuevaultError } from '../../clients/typescript/src/index.ts';
import { type OfflineOptions, offlineCopy } from '../../clients/typescript/src/offline.ts';
import { inPython } from './in-python.ts';

interface Case {
  readonly client?: object;
  readonly call?: 'prompts.get' | 'secrets.get' | 'secrets.all';
  readonly args?: readonly unknown[];
  readonly options?: object;
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly reply?: unknown;
}

/** Become values that JSON cannot express. */
const INEXPRESSIBLE = 'inexpressible';
const VALUES: Readonly<Record<string, unknown>> = {
  [INEXPRESSIBLE]: 1n,
  nan: Number.NaN,
  infinite: Number.POSITIVE_INFINITY,
};

const PROMPT = {
  promptId: 'prm_1',
  name: 'a',
  version: '1.0.0',
  tags: [],
  metaProperties: {},
  prompt: '{{b}}',
};
const MESSAGES = [{ type: 'placeholder', name: 'history' }];
const CHAT = { ...PROMPT, type: 'chat', messages: MESSAGES, prompt: JSON.stringify(MESSAGES) };
const DECLARED = { ...PROMPT, variables: { b: { type: 'integer', enum: [1, 2] } } };

/** Each option with what is no number for it. */
const wrong = (options: Readonly<Record<string, readonly unknown[]>>): readonly object[] =>
  Object.entries(options).flatMap(([name, values]) =>
    ['nan', -1, '5', true, INEXPRESSIBLE, ...values].map((value) => ({ [name]: value })),
  );

const SETTINGS: readonly object[] = [
  ...['nowhere', 'ftp://a', '', 'no address', 'https://', 'https://localhost:99999'].map((url) => ({ url })),
  ...['user:password@a', 'a?b', 'a/?', 'a#b', 'a/#'].map((rest) => ({ url: `https://${rest}` })),
  { url: 'http://other.example' },
  ...['', 'password b', 'password\nb', 'passwordü', '“password”'].map((apiKey) => ({ apiKey })),
  ...wrong({ timeoutMs: [0, 'infinite'], totalTimeoutMs: [0, 'infinite'] }),
  ...wrong({ pauseMs: ['infinite'], maxRetries: [1.5, 'infinite'] }),
  ...wrong({ latestMs: [], secretsMs: [], maxStaleMs: [], maxEntries: [0, 1.5] }).map((cache) => ({ cache })),
  ...wrong({ maxAgeMs: [0] }).map((age) => ({ offline: { directory: '.', ...age } })),
  { environment: '' },
];
const CASES: readonly Case[] = [
  ...SETTINGS.map((client) => ({ client })),
  { call: 'secrets.get', args: [''] },
  { call: 'secrets.all', options: { tags: 'a' } },
  ...[{ timeoutMs: 0 }, { maxRetries: -1 }, { ttlMs: -1 }].map((options) => ({ options })),
  { options: { metaProperties: { a: INEXPRESSIBLE } } },
  { options: { variables: { b: INEXPRESSIBLE } } },
  { options: { variables: {}, strict: true } },
  { options: { variables: { b: 1, 'c"': 2 }, strict: 'exact' } },
  { reply: DECLARED, options: { variables: { b: 'x' }, strict: true } },
  ...[{}, { other: [] }, { history: 'x' }].map((placeholders) => ({
    reply: CHAT,
    options: { placeholders },
  })),
  ...[{}, { ...PROMPT, version: '1' }, { ...PROMPT, name: 'b' }].map((reply) => ({ reply })),
  { call: 'secrets.all', reply: { A: 1 } },
  { call: 'secrets.get', args: ['A'], reply: {} },
  ...[404, 413, 429, 502].map((status) => ({ status, reply: undefined })),
  { status: 401, headers: { 'cuevault-error': 'unauthenticated' }, reply: 'The API key is not valid.' },
];

const PYTHON = `
import json, sys, httpx, cuevault
def mended(value):
    if isinstance(value, dict): return {key: mended(each) for key, each in value.items()}
    values = {"${INEXPRESSIBLE}": object(), "nan": float("nan"), "infinite": float("inf")}
    return values.get(value, value) if isinstance(value, str) else value
def made(client):
    kinds = {"cache": cuevault.CachePolicy, "offline": cuevault.OfflineCopy}
    return {name: kinds[name](**value) if name in kinds else value for name, value in mended(client).items()}
def said(case):
    reply = lambda _: httpx.Response(case["status"], text=case["text"], headers=case["headers"])
    try:
        client = cuevault.Cuevault(**{"transport": httpx.MockTransport(reply), **made(case["client"])})
        part, name = case["call"].split(".")
        getattr(getattr(client, part), name)(*case["args"], **mended(case["options"]))
    except cuevault.CuevaultError as error:
        return f"{error.code}: {error}"
    return "nothing failed"
print(json.dumps([said(case) for case in json.load(sys.stdin)]))`;

const whole = ({ status = 200, headers = {}, call = 'prompts.get', args, options = {}, ...rest }: Case) => {
  const reply = 'reply' in rest ? rest.reply : PROMPT;
  const envelope = typeof reply === 'string' ? { err: reply, res: null } : { err: null, res: reply };
  const client = { url: 'http://localhost', apiKey: 'cue_12345678_x', maxRetries: 0, ...rest.client };
  const text = reply === undefined ? '<html>' : JSON.stringify(envelope);
  return {
    client,
    call,
    args: args ?? (call === 'prompts.get' ? ['a'] : []),
    options,
    status,
    headers,
    text,
  };
};

const mended = (value: unknown): unknown => {
  if (typeof value === 'string') return VALUES[value] ?? value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mended(each)]));
};

const saidByTypeScript = async ({ client, call, args, options, text, ...init }: ReturnType<typeof whole>) => {
  try {
    const { offline, ...settings } = mended(client) as { readonly offline?: OfflineOptions };
    const fetch = async () => new Response(text, init);
    const copies = offline && { offline: offlineCopy(offline) };
    const { prompts, secrets } = new Cuevault({ fetch, ...settings, ...copies });
    const calls = { 'prompts.get': prompts.get, 'secrets.get': secrets.get, 'secrets.all': secrets.all };
    await (calls[call] as (...all: unknown[]) => Promise<unknown>)(...args, mended(options));
    return 'nothing failed';
  } catch (error) {
    const { code, message } = error as CuevaultError;
    return `${code}: ${message}`;
  }
};

const renamed = (options: object): object =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      inPython(name),
      name === 'cache' || name === 'offline' ? renamed(value) : value,
    ]),
  );

test('both languages say the same about the same mistake, without the password or API key in it', async () => {
  const cases = CASES.map(whole);
  const input = JSON.stringify(
    cases.map((each) => ({ ...each, client: renamed(each.client), options: renamed(each.options) })),
  );
  const python = execFileSync('clients/python/.venv/bin/python', ['-c', PYTHON], { input, encoding: 'utf8' });
  const typescript = await Promise.all(cases.map(saidByTypeScript));
  // In TypeScript, a function of its own makes the copy, and the kind of a value that JSON cannot hold is named.
  expect(JSON.parse(python.replaceAll('offline.max_age', 'max_age'))).toEqual(
    typescript.map((text) => text.replace(' (BigInt)', '').replace(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g, inPython)),
  );
  expect(typescript.join('\n')).not.toMatch(/nothing failed|password/);
});
