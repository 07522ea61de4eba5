import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Role } from '../contract/endpoint.ts';
import { isObject } from '../contract/fields/patterns.ts';
import { SAMPLE_PROMPTS, SAMPLE_SECRETS, type SamplePrompt } from '../contract/samples.ts';
import { isCuevaultError } from '../lambdas/core/errors.ts';
import { promptIdOf, randomBase62 } from '../lambdas/core/identifiers.ts';
import { storedContent } from '../lambdas/core/prompts/contents.ts';
import { createApiKey } from '../lambdas/store/api-keys/api-keys.ts';
import { type Change, SYSTEM } from '../lambdas/store/audit.ts';
import { findOperator, writeOperator } from '../lambdas/store/operators/operators.ts';
import { isLive, readPromptHead } from '../lambdas/store/prompts/head.ts';
import { setLabel } from '../lambdas/store/prompts/labels.ts';
import { createPrompt } from '../lambdas/store/prompts/lifecycle.ts';
import { publishVersion } from '../lambdas/store/prompts/publishing.ts';
import { createSecret } from '../lambdas/store/secrets/secrets.ts';
import type { Table } from '../lambdas/store/table.ts';
import { vaultIn } from '../lambdas/store/vault/vault.ts';
import type { Credentials, Operators } from './identity/operators.ts';
import { replacePrivate } from './private-file.ts';
import { parsedJson } from './request-body.ts';
import { StartError } from './start-error.ts';

const changeNow = (): Change => ({ at: new Date(), actor: SYSTEM, requestId: 'first-run', isAdmin: true });

const makePrompt = async (table: Table, { name, label, versions }: SamplePrompt): Promise<void> => {
  const [first = storedContent({}), ...later] = versions.map(storedContent);
  const { promptId, latest } = await createPrompt(table, changeNow(), { name, ...first, overDeleted: true });
  for (const version of later) await publishVersion(table, changeNow(), promptId, version);
  if (label !== undefined) await setLabel(table, changeNow(), promptId, label, latest);
};

const unlessTaken = (error: unknown): void => {
  if (!isCuevaultError(error, 'name_taken', 'secret_key_taken')) throw error;
};

/** Sample prompts and secrets, each a change of its own. Existing ones with the same names are not changed. */
const makeSamples = async (table: Table): Promise<void> => {
  for (const prompt of SAMPLE_PROMPTS) await makePrompt(table, prompt).catch(unlessTaken);
  for (const secret of SAMPLE_SECRETS)
    await createSecret(vaultIn(table), changeNow(), secret).catch(unlessTaken);
};

/** Whether a prompt with the name of the first sample exists. */
export const hasGreeting = async (table: Table): Promise<boolean> =>
  isLive(await readPromptHead(table, promptIdOf(SAMPLE_PROMPTS[0].name)));

export interface NewOperator extends Credentials {
  /** @default - they can sign in, and may do nothing */
  readonly group?: Role;
}

/** Returns a function that adds an operator, or changes the one with this address, and returns the id. */
export const operatorsOf =
  (operators: Operators, table: Table) =>
  async ({ email, password, group }: NewOperator): Promise<{ readonly id: string }> => {
    const { id } = await operators.add({ email, password });
    const seen = await findOperator(table, id);
    if (group === undefined || (seen?.group === group && seen.status === 'active')) return { id };
    const change = changeNow();
    const invited = { invitedAt: change.at.toISOString(), invitedBy: change.actor.name };
    const next = { operatorId: id, email, group, status: 'active', identity: 'native', ...invited } as const;
    await writeOperator(table, change, seen, next, { action: 'operator.invite', details: { group } });
    return { id };
  };

/** The content of `first-run.json` in the data folder, which only its owner can read. */
export interface FirstRun {
  readonly url: string;
  readonly apiKey: string;
  /** Who issues the tokens of workloads here (`npm run identity`). */
  readonly identityIssuer: string;
  /** An operator of each group. */
  readonly operators: Readonly<Record<Role, Credentials>>;
}

/** What the first run created, and whether that was this run. */
export interface FirstRunResult extends FirstRun {
  readonly isFirst: boolean;
}

export interface FirstRunOptions {
  readonly table: Table;
  readonly dataFolder: string;
  /** Where the instance runs now. */
  readonly url: string;
  readonly identityIssuer: string;
  /** Whether the first start creates samples. */
  readonly sample: boolean;
  readonly addOperator: (operator: NewOperator) => Promise<unknown>;
}

const FILE = 'first-run.json';
const ROLES: readonly Role[] = ['admin', 'editor', 'viewer'];
const PASSWORD_LENGTH = 24;

/** Whether a first start has completed in this data folder. */
export const isStarted = (dataFolder: string): boolean => existsSync(path.join(dataFolder, FILE));

const read = (file: string): Partial<FirstRun> => {
  if (!existsSync(file)) return {};
  const notes = parsedJson(readFileSync(file, 'utf8'));
  if (isObject(notes)) return notes;
  throw new StartError(
    `${file} does not contain a JSON object: repair it, or remove it to get a new API key and new passwords.`,
  );
};

const makeKey = async ({ table, sample }: FirstRunOptions): Promise<string> => {
  if (sample) await makeSamples(table);
  const access = { name: 'first run', permissions: ['prompts', 'secrets'] } as const;
  return (await createApiKey(table, changeNow(), access)).apiKey;
};

/** The operator of each role, who is created unless known. */
const firstOperators = async (
  { addOperator }: FirstRunOptions,
  known: Partial<FirstRun['operators']> = {},
): Promise<FirstRun['operators']> => {
  const made = ROLES.map(async (role): Promise<[Role, Credentials]> => {
    const operator = known[role] ?? { email: `${role}@example.com`, password: randomBase62(PASSWORD_LENGTH) };
    if (known[role] === undefined) await addOperator({ ...operator, group: role });
    return [role, operator];
  });
  return Object.fromEntries(await Promise.all(made)) as Record<Role, Credentials>;
};

/**
 * On the first start, creates an API key, an operator of each group and, if requested, samples, and stores them in
 * `first-run.json`. Later starts return the content of the file, update its address, and create what is missing.
 * Errors: `StartError` if the file contains something else.
 */
export const firstRun = async (options: FirstRunOptions): Promise<FirstRunResult> => {
  const { dataFolder, url, identityIssuer } = options;
  const file = path.join(dataFolder, FILE);
  const known = read(file);
  const current: FirstRun = {
    ...known,
    url,
    identityIssuer,
    apiKey: known.apiKey ?? (await makeKey(options)),
    operators: await firstOperators(options, known.operators),
  };
  if (!isDeepStrictEqual(known, current)) replacePrivate(file, `${JSON.stringify(current, null, 2)}\n`);
  return { ...current, isFirst: known.apiKey === undefined };
};
