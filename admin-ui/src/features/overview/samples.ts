import { keysList } from '../../../../contract/endpoints/api-keys.ts';
import { promptsCreate, promptsDelete, promptsList } from '../../../../contract/endpoints/prompts.ts';
import { secretsCreate, secretsDelete, secretsList } from '../../../../contract/endpoints/secrets.ts';
import { versionsPublish } from '../../../../contract/endpoints/versions.ts';
import type { ErrorCode } from '../../../../contract/http/errors.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import {
  SAMPLE_PROMPTS,
  SAMPLE_SECRETS,
  SAMPLE_TAG,
  type SamplePrompt,
} from '../../../../contract/samples.ts';
import { isRefusal } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { reloaderOf } from '../../api/queries.ts';
import { type Samples, untouchedOf } from './untouched.ts';

const ignoring =
  (...codes: readonly ErrorCode[]) =>
  (error: unknown): void => {
    if (!isRefusal(error, ...codes)) throw error;
  };
const unlessTaken = ignoring('name_taken', 'secret_key_taken');
const unlessGone = ignoring('prompt_not_found', 'secret_not_found');

const reloadAfter = reloaderOf([]);

const makePrompt = async ({ name, label, versions }: SamplePrompt): Promise<void> => {
  const [first, ...later] = versions;
  if (first === undefined) return;
  const body = { name, ...first, label };
  const { prompt } = await call(promptsCreate, { body });
  for (const version of later)
    await call(versionsPublish, {
      params: { promptId: prompt.promptId },
      body: { ...version, bump: 'minor' },
    });
};

/** Creates the sample prompts and secrets. Existing ones with the same names are not changed. */
export const makeSamples = () => reloadAfter(makeAll());

const makeAll = async (): Promise<void> => {
  for (const prompt of SAMPLE_PROMPTS) await makePrompt(prompt).catch(unlessTaken);
  for (const { key, value, tags } of SAMPLE_SECRETS)
    await call(secretsCreate, { body: { key, value, tags: [...tags] } }).catch(unlessTaken);
};

/** The samples that nobody has changed. */
export const listSamples = async (): Promise<Samples> => {
  const query = { tag: SAMPLE_TAG, limit: LIMITS.pageMost };
  const [prompts, secrets, { keys }] = await Promise.all([
    call(promptsList, { query }),
    call(secretsList, { query }),
    call(keysList, { query: { limit: LIMITS.pageMost } }),
  ]);
  const ownKeys = keys.filter(({ createdBy }) => createdBy === 'system').map(({ keyId }) => keyId);
  return untouchedOf({ ...prompts, ...secrets }, new Set(ownKeys));
};

/** Deletes these samples; ones that were fetched recently only if `confirm` is true. */
export const removeSamples = (samples: Samples, confirm: boolean) => reloadAfter(removeAll(samples, confirm));

const removeAll = async ({ prompts, secrets }: Samples, confirm: boolean): Promise<void> => {
  for (const { secretId } of secrets) await call(secretsDelete, { params: { secretId } }).catch(unlessGone);
  for (const { promptId } of prompts)
    await call(promptsDelete, { params: { promptId }, query: { confirm } }).catch(unlessGone);
};
