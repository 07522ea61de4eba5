import { readFileSync } from 'node:fs';
import { type EnvPair, parseEnv } from '../../../../contract/env-file.ts';
import { dangerOf, type Unset, unsetOf } from '../secrets/environment.ts';
import type { SecretsResult } from '../wire.ts';
import { quoted } from '../wire.ts';
import { CliError, EXIT, wrongUsage } from './exit-codes.ts';
import { type Environment, valueIn } from './find.ts';

/** The value of `--override` without names. */
export const EVERY = '*';

export interface InjectionRules {
  /** Dangerous names to set nevertheless. */
  readonly allow: readonly string[];
  /** Names of inherited variables that a secret replaces; `EVERY` for all of them. */
  readonly override: readonly string[];
}

const namesOf = (unset: readonly Unset[]): string[] => unset.map(({ name }) => name);

const notSet = (unset: readonly Unset[]): string[] =>
  unset.length === 0
    ? []
    : [`Not set: ${unset.map(({ name, reason }) => `${JSON.stringify(name)} (${reason})`).join(', ')}.`];

const without = (secrets: SecretsResult, names: Iterable<string>, parts: readonly string[]) => {
  const others = new Set(names);
  const set = Object.fromEntries(Object.entries(secrets).filter(([name]) => !others.has(name)));
  return { set, report: parts.join(' ') || undefined };
};

/** Leaves out the secrets whose names can change what programs do; `allow` are such names to keep. */
export const withoutDangerous = (secrets: SecretsResult, allow: readonly string[]) => {
  const unset = Object.keys(secrets).flatMap((name) => {
    const reason = dangerOf(name, allow);
    return reason === undefined ? [] : [{ name, reason }];
  });
  return without(secrets, namesOf(unset), notSet(unset));
};

/**
 * Chooses which secrets a command gets in addition to the environment that it inherits, with one sentence about the
 * others; undefined if there are none.
 */
export const inject = (
  secrets: SecretsResult,
  inherited: Environment,
  { allow, override }: InjectionRules,
) => {
  const unset = unsetOf(secrets, { allow });
  const refused = namesOf(unset);
  const kept = Object.keys(secrets).filter((name) => {
    const wins = (valueIn(inherited, name) ?? '') !== '';
    return wins && !override.includes(EVERY) && !override.includes(name) && !refused.includes(name);
  });
  // Inherited with the same value, it makes no difference.
  const differing = kept.filter((name) => valueIn(inherited, name) !== secrets[name]);
  const parts = notSet(unset);
  if (differing.length > 0) parts.push(`Kept as inherited: ${quoted(differing)} (--override replaces them).`);
  return without(secrets, [...kept, ...refused], parts);
};

const textOf = (file: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is no UTF-8' : code;
    throw wrongUsage(`${JSON.stringify(file)} cannot be read (${reason}).`);
  }
};

const NAMED_LINES = 5;

/** What a `.env` file assigns. Errors: CliError `usage` for a file, or a line, that cannot be read. */
export const assignmentsIn = (file: string): EnvPair[] => {
  const { pairs, problems } = parseEnv(textOf(file));
  if (problems.length === 0) return pairs;
  const named = problems.slice(0, NAMED_LINES).map(({ line, message }) => `line ${line} ${message}`);
  const more = problems.length > NAMED_LINES ? `; and ${problems.length - NAMED_LINES} more` : '';
  throw wrongUsage(`${JSON.stringify(file)} cannot be read: ${named.join('; ')}${more}.`);
};

/** Checks that variables are set and not empty. Errors: CliError `notFound` that names all others. */
export const checkRequired = (names: readonly string[], env: Environment): void => {
  const missing = names.filter((name) => (valueIn(env, name) ?? '') === '');
  if (missing.length === 0) return;
  throw new CliError(`These variables are missing or empty: ${quoted(missing)}.`, EXIT.notFound);
};
