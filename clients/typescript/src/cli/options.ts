import type { parseArgs } from 'node:util';
import { wrongUsage } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

const FLAG = { type: 'boolean' } as const;
const text = <Multiple extends boolean = false>(value: string, multiple = false as Multiple) => ({
  type: 'string' as const,
  multiple,
  value,
});

/** How each option is written, and what help calls its value. Which of them a command has, its description says. */
export const OPTIONS = {
  all: FLAG,
  allow: text('A,B', true),
  'allow-empty': FLAG,
  'dry-run': FLAG,
  'env-file': text('FILE', true),
  environment: text('NAME'),
  'exit-code': FLAG,
  format: text('FORM'),
  from: text('URL'),
  group: FLAG,
  help: { type: 'boolean', short: 'h' },
  'ignore-history': FLAG,
  json: FLAG,
  key: text('KEY', true),
  label: text('L', true),
  'move-labels': FLAG,
  names: FLAG,
  offline: FLAG,
  'offline-dir': text('DIR'),
  'offline-max-age': text('H'),
  'offline-ok': FLAG,
  only: text('A,B=KEY', true),
  optional: text('A,B=KEY', true),
  output: { ...text('FILE'), short: 'o' },
  override: text('[=A,B]', true),
  overwrite: FLAG,
  prefix: text('P'),
  redact: FLAG,
  repository: text('NAME'),
  require: text('FILE', true),
  reveal: FLAG,
  strict: FLAG,
  'strip-prefix': text('P'),
  tags: text('A,B'),
  var: text('NAME=VALUE', true),
  version: text('V'),
  watch: FLAG,
  'watch-interval': text('S'),
  'without-api-key': FLAG,
  write: FLAG,
} as const;

export type Option = keyof typeof OPTIONS;

/** The values of options. */
export type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

/** The same text. Errors: CliError `usage` unless it is one of the texts that the option takes. */
export const oneOf = <Text extends string>(option: string, given: string, texts: readonly Text[]): Text => {
  const found = texts.find((each) => each === given);
  if (found === undefined) throw wrongUsage(`--${option} must be one of ${texts.join(', ')}.`);
  return found;
};

/** A call of a command: its options, and its operands. */
export interface Call {
  readonly values: Values;
  readonly operands: readonly string[];
  readonly terminal: Terminal;
}
