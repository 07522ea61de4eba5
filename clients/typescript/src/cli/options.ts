import type { parseArgs } from 'node:util';
import { wrongUsage } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

const FLAG = { type: 'boolean' } as const;
const TEXT = { type: 'string' } as const;
const TEXTS = { type: 'string', multiple: true } as const;

/** How each option is written. Which of them a command has, its help says. */
export const OPTIONS = {
  all: FLAG,
  allow: TEXTS,
  'allow-empty': FLAG,
  'dry-run': FLAG,
  environment: TEXT,
  'exit-code': FLAG,
  format: TEXT,
  from: TEXT,
  group: FLAG,
  help: { type: 'boolean', short: 'h' },
  'ignore-history': FLAG,
  json: FLAG,
  key: TEXTS,
  label: TEXTS,
  'move-labels': FLAG,
  names: FLAG,
  offline: FLAG,
  'offline-dir': TEXT,
  'offline-max-age': TEXT,
  'offline-ok': FLAG,
  only: TEXTS,
  optional: TEXTS,
  output: { type: 'string', short: 'o' },
  override: TEXTS,
  overwrite: FLAG,
  prefix: TEXT,
  redact: FLAG,
  repository: TEXT,
  require: TEXTS,
  reveal: FLAG,
  strict: FLAG,
  'strip-prefix': TEXT,
  tags: TEXT,
  var: TEXTS,
  version: TEXT,
  watch: FLAG,
  'watch-interval': TEXT,
  'without-api-key': FLAG,
  write: FLAG,
} as const;

type Option = keyof typeof OPTIONS;

/** The values of options. */
export type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

/** The same text. Errors: CliError `usage` unless it is one of the texts that the option takes. */
export const oneOf = <Text extends string>(option: string, given: string, texts: readonly Text[]): Text => {
  const found = texts.find((each) => each === given);
  if (found === undefined) throw wrongUsage(`--${option} must be one of ${texts.join(', ')}.`);
  return found;
};

/** A call of a command: its options, and its operands before and behind `--`. */
export interface Call {
  readonly values: Values;
  readonly operands: readonly string[];
  readonly behind: readonly string[] | undefined;
  readonly terminal: Terminal;
}

/** The options in a help, all or those of one command: what only some commands have begins with their names and a colon. */
export const optionsIn = (help: string, command?: string): Option[] => {
  const lines = help.matchAll(/^ {2}(?:-\w, )?--([\w-]+)\S*(?: [A-Z]\S*)? +((?:[a-z]+, )*[a-z]+:)?/gm);
  const own = [...lines].filter(
    ([, , commands]) => !(commands && command) || commands.split(/\W+/).includes(command),
  );
  return [...own.map(([, name]) => name as Option), 'help'];
};
