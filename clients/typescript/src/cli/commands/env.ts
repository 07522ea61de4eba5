import { PRIVATE } from '../../whole-file.ts';
import type { SecretsResult } from '../../wire.ts';
import { CliError, EXIT, wrongUsage } from '../exit-codes.ts';
import { withoutDangerous } from '../injection.ts';
import { type Call, oneOf } from '../options.ts';
import { writeOutput } from '../output.ts';
import { listed, secretsSource } from '../source.ts';

export const FORMATS = ['dotenv', 'docker', 'json', 'shell'] as const;
export type Format = (typeof FORMATS)[number];

const DOCKER_LINE_BYTES = 64 * 1024;

/** The reason why a format cannot express a secret. */
class Unsuitable extends Error {}

/**
 * Parsers of .env files agree only on bare text, on text in single quotes that contains line breaks or single
 * backslashes (some parsers read two as one), and on text in double quotes without backslashes. A shell runs nothing in
 * these forms either. Everything else is rejected: a value that a parser cuts short could set other variables. One rule
 * for all clients: test/vectors/dotenv.json.
 */
const dotenvValue = (value: string): string => {
  if (/^[\w%+,./:@-]+$/.test(value)) return value;
  if (/[\r\0]/.test(value)) throw new Unsuitable('the value contains a carriage return or NUL');
  if (!/'|\\\\|\\$/.test(value)) return `'${value}'`;
  if (!/["\\$`!]/.test(value)) return `"${value}"`;
  if (/^[\w%+,./:@\\-]+$/.test(value) && !value.endsWith('\\')) return value;
  throw new Unsuitable('readers disagree on its mixture of quotes, backslashes and $');
};

const dotenvLine = (name: string, value: string): string => {
  if (!/^[\w.-]+$/.test(name)) throw new Unsuitable('the name contains other characters');
  return `${name}=${dotenvValue(value)}\n`;
};

// Docker takes a line as it is, quotes included, and at most 64 KB of it; of a name alone, it takes the value that it inherits.
const dockerLine = (name: string, value: string): string => {
  if (!/^[^\s#=][^\s=]*$/.test(name)) throw new Unsuitable('the name contains other characters');
  if (/[\r\n\0]/.test(value)) throw new Unsuitable('the value contains a line break or NUL');
  const line = `${name}=${value}\n`;
  if (Buffer.byteLength(line) > DOCKER_LINE_BYTES) throw new Unsuitable('the line is longer than 64 KB');
  return line;
};

const shellLine = (name: string, value: string): string => {
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new Unsuitable('a shell accepts no such name');
  if (value.includes('\0')) throw new Unsuitable('the value contains NUL');
  return `export ${name}='${value.replaceAll("'", "'\\''")}'\n`;
};

const LINES = {
  docker: { line: dockerLine, form: 'for docker run --env-file (use --format json)' },
  dotenv: { line: dotenvLine, form: 'in a .env file (use --format json or shell)' },
  shell: { line: shellLine, form: 'for a shell (use --format json)' },
};

/**
 * Secrets in a form that programs read back to the same values. Errors: CliError `unsuitable` that names every secret
 * that the format cannot express.
 */
export const format = (secrets: SecretsResult, wanted: Format): string => {
  if (wanted === 'json') return `${JSON.stringify({ ...secrets }, null, 2)}\n`;
  const { line, form } = LINES[wanted];
  const offenders: string[] = [];
  const lines = Object.entries(secrets).map(([name, value]) => {
    try {
      return line(name, value);
    } catch (error) {
      if (!(error instanceof Unsuitable)) throw error;
      offenders.push(`${JSON.stringify(name)} (${error.message})`);
      return '';
    }
  });
  if (offenders.length === 0) return lines.join('');
  const sentence = `Nothing was printed. These secrets cannot be written ${form}: ${offenders.join(', ')}.`;
  throw new CliError(sentence, EXIT.unsuitable);
};

const namesOf = (secrets: object, wanted: Format): string => {
  const names = Object.keys(secrets);
  return wanted === 'json'
    ? `${JSON.stringify(names, null, 2)}\n`
    : names.map((name) => `${name}\n`).join('');
};

/** `cuevault env`: prints secrets. Returns the exit code. */
export const envCommand = async ({ values, terminal }: Call): Promise<number> => {
  const wanted = values.json === true ? 'json' : oneOf('format', values.format ?? 'dotenv', FORMATS);
  if (terminal.isTTY && values.output === undefined && values.reveal !== true && values.names !== true) {
    const sentence = 'Values are not printed to a terminal: add --reveal or --names, or redirect the output.';
    throw wrongUsage(sentence);
  }
  const allow = listed('allow', values.allow) ?? [];
  const { set, report } = withoutDangerous(await secretsSource(values, terminal)(), allow);
  if (report !== undefined) terminal.err(`cuevault: ${report}\n`);
  const text = values.names === true ? namesOf(set, wanted) : format(set, wanted);
  await writeOutput(text, values.output, terminal, PRIVATE);
  return EXIT.done;
};
