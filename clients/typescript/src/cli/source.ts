import { homedir } from 'node:os';
import { join } from 'node:path';
import { Cuevault } from '../client.ts';
import { offlineCopy } from '../offline.ts';
import type { SecretsResult } from '../wire.ts';
import { CliError, EXIT } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** The options of `run` and `env` that say which secrets. */
export const SOURCE_OPTIONS = {
  key: { type: 'string' },
  tags: { type: 'string' },
  prefix: { type: 'string' },
  'offline-ok': { type: 'boolean' },
  'offline-dir': { type: 'string' },
  'offline-max-age': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

export interface SourceValues {
  readonly key?: string | undefined;
  readonly tags?: string | undefined;
  readonly prefix?: string | undefined;
  readonly 'offline-ok'?: boolean | undefined;
  readonly 'offline-dir'?: string | undefined;
  readonly 'offline-max-age'?: string | undefined;
}

/** A positive number given as text. Errors: CliError `usage`. */
export const positive = (option: string, text: string): number => {
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  throw new CliError(`--${option} must be a number above 0.`, EXIT.usage);
};

/** The same text. Errors: CliError `usage` if it is empty, as is a shell's variable that is not set. */
const filled = <Text extends string | undefined>(option: string, text: Text): Text => {
  if (text !== '') return text;
  throw new CliError(`--${option} must not be empty, nor hold anything empty.`, EXIT.usage);
};

const cacheFolder = (): string => {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const base = process.platform === 'win32' ? LOCALAPPDATA : XDG_CACHE_HOME;
  try {
    return join(base || join(homedir(), '.cache'), 'cuevault');
  } catch {
    throw new CliError('There is no home folder for the offline copy: add --offline-dir.', EXIT.usage);
  }
};

const hours = (ms: number): string => `${(ms / 3_600_000).toFixed(1)} h`;

const offlineFor = (values: SourceValues) => {
  const maxAgeMs = positive('offline-max-age', values['offline-max-age'] ?? '24') * 3_600_000;
  const directory = filled('offline-dir', values['offline-dir']);
  if (values['offline-ok'] !== true) return undefined;
  return offlineCopy({ directory: directory ?? cacheFolder(), maxAgeMs });
};

/** What reads the secrets that the options ask for, each under its variable's name. Errors: `configuration`, usage. */
export const secretsSource = (values: SourceValues, terminal: Terminal): (() => Promise<SecretsResult>) => {
  const client = new Cuevault({
    offline: offlineFor(values),
    onEvent: (event) => {
      if (event.type === 'offline_failed') terminal.err('cuevault: The offline copy could not be written.\n');
      if (event.type === 'stale_served') {
        const age = hours(event.ageMs);
        terminal.err(`cuevault: Cuevault cannot answer. The offline copy is used; it is ${age} old.\n`);
      }
    },
  });
  const { prefix = '' } = values;
  const key = filled('key', values.key);
  const tags = values.tags?.split(',').map((tag) => filled('tags', tag.trim()));
  return async () => {
    const secrets =
      key === undefined
        ? await client.secrets.all({ tags })
        : { [key]: await client.secrets.get(key, { tags }) };
    return Object.fromEntries(Object.entries(secrets).map(([name, value]) => [prefix + name, value]));
  };
};
