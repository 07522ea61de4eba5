// Names of options, errors and fakes: docs/reference/clients.md says which both clients have, and which only one.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ClientErrorCode } from '../../clients/typescript/src/index.ts';
import * as typescript from '../../clients/typescript/src/index.ts';
import type { OfflineOptions } from '../../clients/typescript/src/offline.ts';
import { type Failure, fakeCuevault } from '../../clients/typescript/src/testing.ts';
import { inPython } from './in-python.ts';

const PYTHON = `
import inspect, json, typing, cuevault, cuevault.testing as testing
from cuevault._core.reads import CallOptions, SecretOptions
def names(of): return [name for name in inspect.signature(of).parameters if name not in ("self", "options")]
def public(thing): return [name for name in dir(thing) if not name.startswith("_")]
client = testing.FakeCuevault().client()
print(json.dumps({
  "a client": names(cuevault.Cuevault),
  "cache": names(cuevault.CachePolicy),
  "an offline copy": names(cuevault.OfflineCopy),
  "prompts.get": [*names(client.prompts.get), *CallOptions.__annotations__],
  "secrets.all": [*SecretOptions.__annotations__],
  "getSecrets": names(cuevault.get_secrets),
  "getPrompt": names(cuevault.get_prompt),
  "a client's parts": public(client),
  "secrets": public(client.secrets),
  "the fake": public(testing.FakeCuevault()),
  "Failure": typing.get_args(testing.Failure),
  "errors": [name for name in cuevault.__all__ if name.endswith("Error")],
  "their codes": typing.get_args(cuevault.ErrorCode),
  "functions": [name for name in cuevault.__all__ if inspect.isfunction(getattr(cuevault, name))],
}))`;

const OWN_CODES: Record<ClientErrorCode, true> = {
  connection_failed: true,
  timeout: true,
  invalid_reply: true,
  configuration: true,
  unknown_variables: true,
  missing_placeholders: true,
};
const FAILURES: Record<Failure, true> = {
  unavailable: true,
  rate_limited: true,
  timeout: true,
  connection: true,
  unauthenticated: true,
};

const COPY: Required<OfflineOptions> = { directory: '', maxAgeMs: 0 };

/** The options that a function names when it rejects another one. */
const optionsOf = async (call: (options: never) => unknown): Promise<string[]> => {
  const said = await (async () => call({ noSuchOption: 1 } as never))().then(
    (reply) => (reply as { err: string }).err,
    ({ message }: Error) => message,
  );
  return /The options are (.+)\.$/.exec(said)?.[1]?.split(', ') ?? [];
};

const ofTypeScript = async (): Promise<Record<string, readonly string[]>> => {
  const { Cuevault, getPrompt, getSecrets } = typescript;
  const fake = fakeCuevault();
  const { prompts, secrets } = fake.client();
  const exported = Object.entries(typescript).map(([name]) => name);
  return {
    'a client': await optionsOf((options) => new Cuevault(options)),
    cache: await optionsOf((cache) => new Cuevault({ cache })),
    'an offline copy': Object.keys(COPY),
    'prompts.get': await optionsOf((options) => prompts.get('a', options)),
    'secrets.all': await optionsOf((options) => secrets.all(options)),
    getSecrets: await optionsOf(getSecrets),
    getPrompt: await optionsOf(getPrompt),
    "a client's parts": ['prompts', 'secrets', ...Object.getOwnPropertyNames(Cuevault.prototype).slice(1)],
    secrets: Object.keys(secrets),
    'the fake': Object.keys(fake),
    Failure: Object.keys(FAILURES),
    errors: exported.filter((name) => name.endsWith('Error')),
    'their codes': [...CODES, ...Object.keys(OWN_CODES)],
    functions: exported.filter((name) => /^[a-z]/.test(name) && name !== 'originOf'),
  };
};

const CODES = [...readFileSync('docs/errors.md', 'utf8').matchAll(/^\| `(\w+)`.+\| _applications_/gm)].map(
  ([, code = '']) => code,
);

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();

const ROWS = readFileSync('docs/reference/clients.md', 'utf8').match(/^\| (?!of |---).+/gm) ?? [];

/** The names in a cell, before its reason. */
const named = (cell = ''): string[] => cell.replace(/: .*/, '').match(/(?<=`)\w+(?=`)/g) ?? [];

test('the table has every option, error and fake of both clients, and nothing else', async () => {
  const python = JSON.parse(
    execFileSync('clients/python/.venv/bin/python', ['-c', PYTHON], { encoding: 'utf8' }),
  );
  const typescriptHas = await ofTypeScript();
  const table = ROWS.map((row) => row.split('|').slice(1));
  const rows = new Map(table.map(([of = '', ...cells]) => [of.replaceAll('`', '').trim(), cells]));
  expect(sorted(rows.keys())).toEqual(sorted(Object.keys(typescriptHas)));
  for (const [of, [both, own, others]] of rows) {
    const common = of === 'their codes' ? [...CODES, ...named(both)] : named(both);
    const isError = of === 'errors';
    const mine = named(own).filter((name) => name !== 'originOf');
    expect([of, sorted(typescriptHas[of] ?? [])]).toEqual([of, sorted([...common, ...mine])]);
    const theirs = of === 'secrets' ? [] : named(others).filter((name) => name !== 'aclose');
    const expected = [...common, ...theirs].map((name) => (isError ? name : inPython(name)));
    expect([of, sorted(python[of])]).toEqual([of, sorted(expected)]);
  }
});
