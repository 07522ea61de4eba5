import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Cuevault } from '../client.ts';
import { resolveCredential } from '../credential.ts';
import { NotFoundError } from '../errors.ts';
import type { CuevaultEvent } from '../events.ts';
import { offlineCopy } from '../offline.ts';
import { resolveEnvironment, resolveUrl } from '../settings.ts';
import { ownValue, quoted, type SecretsRequest, type SecretsResult } from '../wire.ts';
import { CliError, EXIT, wrongUsage } from './exit-codes.ts';
import { eachOf } from './git/work.ts';
import type { Values } from './options.ts';
import type { Terminal } from './terminal.ts';

/** A positive number given as text. Errors: CliError `usage`. */
export const positive = (option: string, text: string): number => {
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  throw wrongUsage(`--${option} must be a number above 0.`);
};

/** The same text. Errors: CliError `usage` if it is empty, like an unset variable of a shell. */
const filled = <Text extends string | undefined>(option: string, text: Text): Text => {
  if (text !== '') return text;
  throw wrongUsage(`--${option} must not be empty or contain empty parts.`);
};

/** The names in the values of an option, each a list with commas. Errors: CliError `usage`. */
export const listed = (option: string, values: readonly string[] | undefined): string[] | undefined =>
  values?.flatMap((value) => value.split(',').map((name) => filled(option, name.trim())));

const cacheFolder = (): string => {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const base = process.platform === 'win32' ? LOCALAPPDATA : XDG_CACHE_HOME;
  try {
    return join(base || join(homedir(), '.cache'), 'cuevault');
  } catch {
    throw wrongUsage('There is no home folder for the offline copy: add --offline-dir.');
  }
};

const offlineFor = (values: Values) => {
  const maxAgeMs = positive('offline-max-age', values['offline-max-age'] ?? '24') * 3_600_000;
  const directory = filled('offline-dir', values['offline-dir']);
  if (values['offline-ok'] !== true && values.offline !== true) return undefined;
  return offlineCopy({ directory: directory ?? cacheFolder(), maxAgeMs });
};

type Read = (request: SecretsRequest) => Promise<SecretsResult>;

/** Reads only copies. Errors of a read: CliError `unavailable`. */
const fromCopies = (copies: ReturnType<typeof offlineCopy>, given: string | undefined): Read => {
  const environment = resolveEnvironment(given);
  const owner = { url: resolveUrl(), apiKey: resolveCredential().owner, environment };
  return async (request) => {
    const copy = await copies.load({ ...owner, ...request });
    if (copy !== undefined) return copy.secrets;
    throw new CliError('There is no recent offline copy of these secrets.', EXIT.unavailable);
  };
};

const fromService = (
  offline: ReturnType<typeof offlineFor>,
  { environment, ...values }: Values,
  terminal: Terminal,
): Read => {
  const onEvent = (event: CuevaultEvent) => {
    if (event.type === 'offline_failed') {
      const folder = JSON.stringify(values['offline-dir'] ?? cacheFolder());
      terminal.err(`cuevault: The offline copy in ${folder} could not be written (${event.error}).\n`);
    }
    if (event.type !== 'stale_served') return;
    const hours = (event.ageMs / 3_600_000).toFixed(1);
    terminal.err(`cuevault: Cuevault cannot answer. The offline copy is used; it is ${hours} h old.\n`);
  };
  const { secrets } = new Cuevault({ environment, offline, onEvent });
  return async ({ key, tags }) =>
    key === undefined ? secrets.all({ tags }) : { [key]: await secrets.get(key, { tags }) };
};

/** Reads several secrets individually: nothing else leaves the service. Errors: CliError `notFound` names all. */
const readEach = async (read: Read, keys: readonly string[], tags: SecretsRequest['tags']) => {
  const found = await eachOf(keys, async (key): Promise<[string, string | undefined]> => {
    try {
      return [key, ownValue(await read({ key, tags }), key)];
    } catch (error) {
      if (error instanceof NotFoundError) return [key, undefined];
      throw error;
    }
  });
  const missing = found.flatMap(([key, value]) => (value === undefined ? [key] : []));
  if (missing.length > 0) throw new CliError(`There is no secret ${quoted(missing)}.`, EXIT.notFound);
  return Object.fromEntries(found) as SecretsResult;
};

/** In the folder of a call: the names that variables may have, one a line. Its comments begin with `#`. */
const NAMES_FILE = 'cuevault.names';

/** The names of that file, undefined without one. Errors: CliError `usage` if it cannot be read. */
const committedNames = (): string[] | undefined => {
  try {
    const lines = readFileSync(NAMES_FILE, 'utf8').split('\n');
    return lines.map((line) => line.replace(/#.*/, '').trim()).filter((name) => name !== '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw wrongUsage(`The file ${NAMES_FILE} cannot be read (${code}).`);
  }
};

/** A variable that `--only` or `--optional` names, and the secret that it gets if that has another name. */
const wishesOf = (option: string, values: readonly string[] | undefined) =>
  listed(option, values)?.map((text) => {
    const [, name = '', stored] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
    filled(option, name);
    return { name, stored: filled(option, stored) };
  });

type Wishes = ReturnType<typeof wishesOf>;

interface Allowed {
  readonly names: string[] | undefined;
  readonly only: Wishes;
  readonly optional: Wishes;
  readonly report: (sentence: string) => void;
}

/** The secrets by the names that prefixes give their variables. Errors: CliError `unsuitable`. */
const named = (secrets: SecretsResult, { prefix = '', 'strip-prefix': strip = '' }: Values) => {
  const values = new Map<string, string>();
  for (const [key, value] of Object.entries(secrets)) {
    const name = prefix + (key.startsWith(strip) ? key.slice(strip.length) : key);
    if (values.has(name))
      throw new CliError(`Two secrets would be the variable ${quoted([name])}.`, EXIT.unsuitable);
    values.set(name, value);
  }
  return values;
};

/** The secrets by the names of their variables. Errors: CliError `notFound` if there are none, or `only` one is missing. */
const selected = (
  secrets: SecretsResult,
  { tags, ...values }: Values,
  { names, only, optional, report }: Allowed,
): SecretsResult => {
  const found = named(secrets, values);
  const wishes = only || optional ? [only ?? [], optional ?? []].flat() : undefined;
  const wanted = wishes?.flatMap(({ name, stored }) => {
    const value = stored === undefined ? found.get(name) : ownValue(secrets, stored);
    return value === undefined ? [] : [[name, value] as const];
  }) ?? [...found];
  const chosen = wanted.filter(([name]) => names?.includes(name) ?? true);
  const others = wanted.filter((each) => !chosen.includes(each)).map(([name]) => name);
  if (others.length > 0) report(`Not set, as they are not in ${NAMES_FILE}: ${quoted(others)}.`);
  const missing = (only ?? []).filter(({ name }) => !chosen.some((each) => each[0] === name));
  const readable = 'that this API key may read';
  if (missing.length > 0) {
    const keys = quoted(missing.map(({ name, stored }) => stored ?? name));
    throw new CliError(`There is no secret ${keys} ${readable}; --optional accepts this.`, EXIT.notFound);
  }
  if (chosen.length > 0 || values['allow-empty'] === true) return Object.fromEntries(chosen);
  const filter = tags === undefined ? '' : ` with the tags ${quoted(tags.split(','))}`;
  throw new CliError(`There are no secrets${filter} ${readable}; --allow-empty accepts this.`, EXIT.notFound);
};

/**
 * A function that reads the secrets that the options select, each under the name of its variable. Errors:
 * `configuration`, usage; of a read, also `notFound` if there is none.
 */
export const secretsSource = (values: Values, terminal: Terminal): (() => Promise<SecretsResult>) => {
  if (/[=\0]/.test(values.prefix ?? '')) throw wrongUsage('--prefix must not contain "=".');
  const only = wishesOf('only', values.only);
  const optional = wishesOf('optional', values.optional);
  const names = committedNames();
  let reported: string | undefined;
  const report = (sentence: string) => {
    if (sentence !== reported) terminal.err(`cuevault: ${sentence}\n`);
    reported = sentence;
  };
  const keys = values.key && [...new Set(values.key.map((key) => filled('key', key)))];
  const tags = values.tags?.split(',').map((tag) => filled('tags', tag.trim()));
  const environment = filled('environment', values.environment);
  const offline = offlineFor(values);
  const read =
    values.offline === true && offline !== undefined
      ? fromCopies(offline, environment)
      : fromService(offline, values, terminal);
  return async () => {
    const secrets = keys === undefined ? await read({ tags }) : await readEach(read, keys, tags);
    return selected(secrets, values, { names, only, optional, report });
  };
};
