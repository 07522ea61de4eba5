import type { SecretsResult } from '../wire.ts';
import { CliError, EXIT } from './exit-codes.ts';

export const FORMATS = ['dotenv', 'json', 'shell'] as const;
export type Format = (typeof FORMATS)[number];

const unsuitable = (name: string, reason: string, form: string) =>
  new CliError(`${JSON.stringify(name)} cannot be written ${form}: ${reason}.`, EXIT.unsuitable);

/**
 * Readers of .env files agree on little. What they agree on: bare text; text between single quotes, lines kept, a lone
 * backslash inert (some take two for one); text between double quotes, where backslashes are not. The rest is refused:
 * a value that a reader takes to end early could set variables of its own. One rule for all clients:
 * test/vectors/dotenv.json.
 */
const dotenvValue = (name: string, value: string): string => {
  const form = 'in a .env file (use --format json or shell)';
  if (/^[!-~]+$/.test(value) && !/['"`#]/.test(value)) return value;
  if (value.includes('\r')) throw unsuitable(name, 'the value holds a carriage return', form);
  if (!/'|\\\\|\\$/.test(value)) return `'${value}'`;
  if (!/["\\]/.test(value)) return `"${value}"`;
  throw unsuitable(name, 'readers disagree on its mixture of quotes and backslashes', form);
};

const dotenvLine = ([name, value]: [string, string]): string => {
  if (!/^[\w.-]+$/.test(name)) throw unsuitable(name, 'the name holds other characters', 'in a .env file');
  return `${name}=${dotenvValue(name, value)}\n`;
};

const shellLine = ([name, value]: [string, string]): string => {
  if (!/^[A-Za-z_]\w*$/.test(name)) throw unsuitable(name, 'a shell takes no such name', 'for a shell');
  if (value.includes('\0')) throw unsuitable(name, 'the value holds NUL', 'for a shell');
  return `export ${name}='${value.replaceAll("'", "'\\''")}'\n`;
};

/**
 * Secrets in a form that programs read back to the same values. Errors: CliError `unsuitable` that names the secret
 * that the form cannot hold.
 */
export const format = (secrets: SecretsResult, form: Format): string => {
  if (form === 'json') return `${JSON.stringify(secrets, null, 2)}\n`;
  return Object.entries(secrets)
    .map(form === 'shell' ? shellLine : dotenvLine)
    .join('');
};
