import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Role } from '../contract/fields/access.ts';
import { isObject } from '../contract/fields/patterns.ts';
import { SAMPLE_PROMPTS, SAMPLE_SECRETS, type SamplePrompt } from '../contract/samples.ts';
import { isCuevaultError } from '../lambdas/core/errors.ts';
import { promptIdOf } from '../lambdas/core/identifiers.ts';
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
import { FIRST_ROLES, type Operators, operatorOf } from './identity/operators.ts';
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

export interface NewOperator {
  readonly email: string;
  /** @default - they can sign in, and may do nothing */
  readonly group?: Role;
}

/** Returns a function that adds an operator, or changes the one with this address, and returns the id. */
export const operatorsOf =
  (operators: Operators, table: Table) =>
  async ({ email, group }: NewOperator): Promise<{ readonly id: string }> => {
    const { id } = operators.add(email);
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
/** Whether a first start has completed in this data folder. */
export const isStarted = (dataFolder: string): boolean => existsSync(path.join(dataFolder, FILE));

const read = (file: string): Partial<FirstRun> => {
  if (!existsSync(file)) return {};
  const notes = parsedJson(readFileSync(file, 'utf8'));
  if (isObject(notes)) return notes;
  throw new StartError(
    `${file} does not contain a JSON object: repair it, or remove it to get a new API key.`,
  );
};

const makeKey = async ({ table, sample }: FirstRunOptions): Promise<string> => {
  if (sample) await makeSamples(table);
  const access = { name: 'first run', permissions: ['prompts', 'secrets'] } as const;
  return (await createApiKey(table, changeNow(), access)).apiKey;
};

/** The API key of the first start, and what it creates beside it. */
const begin = async (options: FirstRunOptions): Promise<string> => {
  await Promise.all(FIRST_ROLES.map((group) => options.addOperator({ email: operatorOf(group), group })));
  return makeKey(options);
};

/**
 * On the first start, creates an API key, an operator of each group and, if requested, samples, and stores them in
 * `first-run.json`. Later starts return the content of the file and update its address.
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
    apiKey: known.apiKey ?? (await begin(options)),
  };
  if (!isDeepStrictEqual(known, current)) replacePrivate(file, `${JSON.stringify(current, null, 2)}\n`);
  return { ...current, isFirst: known.apiKey === undefined };
};
