import { deletePrompt } from '../../lambdas/store/prompts/lifecycle.ts';
import type { SharedInstance } from '../support/calls.ts';
import { operatorIdOf, tokenWith } from '../support/operators.ts';
import { changeAt } from '../support/rows/table.ts';
import { aPrompt, aSecret } from '../support/scenarios/admin-world.ts';
import { type FuzzReport, fuzz } from './fuzzer.ts';
import type { Known } from './values.ts';

/** Who sends: no key, an API key, and each group of operators. */
export const SENDERS = ['anonymous', 'api-key', 'viewer', 'editor', 'admin'] as const;
export type Sender = (typeof SENDERS)[number];

/** Prompts, secrets and API keys for valid requests. */
const makeKnown = async (instance: SharedInstance): Promise<Known> => {
  const prompts = [await aPrompt(instance), await aPrompt(instance), await aPrompt(instance)];
  const gone = await aPrompt(instance);
  await deletePrompt(instance.table, changeAt(), gone.promptId);
  const secrets = [await aSecret(instance, ['web']), await aSecret(instance)];
  const { keyId } = await instance.newKey();
  return {
    promptId: [...prompts, gone].map(({ promptId }) => promptId),
    name: prompts.map(({ name }) => name),
    secretId: secrets.map(({ secretId }) => secretId),
    key: secrets.map(({ key }) => key),
    tags: [[], ['web']],
    keyId: [keyId],
    version: ['1.0.0', '1.1.0', '9.9.9'],
    label: ['production', 'staging'],
  };
};

const tokenOf = async (instance: SharedInstance, sender: Sender): Promise<string | undefined> => {
  if (sender === 'anonymous') return undefined;
  if (sender === 'api-key') return (await instance.newKey()).apiKey;
  return tokenWith(instance, { username: await operatorIdOf(instance, [sender]) });
};

const REQUESTS_PER_TOKEN = 2_000;

/** Sends `count` requests of one sender, with a new token every 2,000: it is valid for ten minutes. */
export const fuzzAs = async (
  instance: SharedInstance,
  sender: Sender,
  seed: number,
  count: number,
): Promise<FuzzReport> => {
  const statuses: Record<number, number> = {};
  const problems: string[] = [];
  for (let sent = 0; sent < count; sent += REQUESTS_PER_TOKEN) {
    const known = await makeKnown(instance);
    const part = { seed: seed + sent, count: Math.min(REQUESTS_PER_TOKEN, count - sent), known };
    const report = await fuzz(instance.url, await tokenOf(instance, sender), part);
    for (const [status, times] of Object.entries(report.statuses))
      statuses[Number(status)] = (statuses[Number(status)] ?? 0) + times;
    problems.push(...report.problems);
  }
  return { sent: count, statuses, problems };
};
