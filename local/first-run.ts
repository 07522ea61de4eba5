import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { randomBase62 } from '../lambdas/core/identifiers.ts';
import { createApiKey } from '../lambdas/store/api-keys/api-keys.ts';
import type { Change } from '../lambdas/store/audit.ts';
import type { Table } from '../lambdas/store/table.ts';
import type { NewOperator } from './identity/operators.ts';
import { makeSamples } from './samples.ts';
import { StartError } from './start-error.ts';

/** What `first-run.json` in the data folder holds; the file is for its owner alone. */
export interface FirstRun {
  readonly url: string;
  readonly apiKey: string;
  /** May do everything in the admin site. */
  readonly operator: { readonly email: string; readonly password: string };
}

export interface FirstRunOptions {
  readonly table: Table;
  readonly dataFolder: string;
  /** Where the instance runs now. */
  readonly url: string;
  /** Whether the first start makes samples. */
  readonly sample: boolean;
  readonly addOperator: (operator: NewOperator) => Promise<unknown>;
}

const OPERATOR_EMAIL = 'operator@example.com';
const PASSWORD_LENGTH = 24;

const write = (file: string, firstRun: FirstRun): void => {
  const draft = `${file}.new`;
  writeFileSync(draft, `${JSON.stringify(firstRun, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(draft, file);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const read = (file: string): Partial<FirstRun> => {
  if (!existsSync(file)) return {};
  const notes = parsed(readFileSync(file, 'utf8'));
  if (typeof notes === 'object' && notes !== null && !Array.isArray(notes)) return notes;
  throw new StartError(
    `${file} does not hold a JSON object: mend it, or remove it for a new API key and a new password.`,
  );
};

const makeKey = async ({ table, sample }: FirstRunOptions): Promise<string> => {
  const change: Change = { at: new Date(), actor: 'system', requestId: 'first-run' };
  if (sample) await makeSamples(table, change);
  const { apiKey } = await createApiKey(table, change, {
    name: 'first run',
    permissions: ['prompts', 'secrets'],
  });
  return apiKey;
};

const makeOperator = async ({ addOperator }: FirstRunOptions): Promise<FirstRun['operator']> => {
  const operator = { email: OPERATOR_EMAIL, password: randomBase62(PASSWORD_LENGTH) };
  await addOperator({ ...operator, groups: ['admin'] });
  return operator;
};

/**
 * On the first start makes an API key, an operator and, where wanted, samples, and notes them in `first-run.json`; on
 * later starts returns what the file holds, its address brought up to date and what it lacks made. Errors: `StartError`
 * where the file holds something else.
 */
export const firstRun = async (options: FirstRunOptions): Promise<FirstRun> => {
  const { dataFolder, url } = options;
  const file = path.join(dataFolder, 'first-run.json');
  const known = read(file);
  const current: FirstRun = {
    ...known,
    url,
    apiKey: known.apiKey ?? (await makeKey(options)),
    operator: known.operator ?? (await makeOperator(options)),
  };
  if (!isDeepStrictEqual(known, current)) write(file, current);
  return current;
};
