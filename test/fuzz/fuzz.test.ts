import { deletePrompt } from '../../lambdas/store/prompts/lifecycle.ts';
import { operatorIdOf, tokenWith } from '../support/operators.ts';
import { changeAt } from '../support/rows/table.ts';
import { scaled, SEED as USUAL } from '../support/sampled.ts';
import { aPrompt, aSecret } from '../support/scenarios/admin-world.ts';
import { instance, withOwnInstance } from '../support/shared/instance.ts';
import { type FuzzReport, fuzz } from './fuzzer.ts';
import type { Known } from './values.ts';

const COUNT = Number(process.env.CUEVAULT_FUZZ_COUNT ?? scaled(20_000, 100));
const SEED = Number(process.env.CUEVAULT_FUZZ_SEED ?? USUAL);
// A token is valid for ten minutes.
const REQUESTS_PER_TOKEN = 2_000;

/** Who sends: no key, an API key, and each group of operators. */
const SENDERS = ['anonymous', 'api-key', 'viewer', 'editor', 'admin'] as const;

withOwnInstance();

/** Prompts, secrets and API keys for valid requests. */
const makeKnown = async (): Promise<Known> => {
  const prompts = [await aPrompt(), await aPrompt(), await aPrompt()];
  const gone = await aPrompt();
  await deletePrompt(instance.table, changeAt(), gone.promptId);
  const secrets = [await aSecret(['web']), await aSecret()];
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

const tokenOf = async (sender: (typeof SENDERS)[number]): Promise<string | undefined> => {
  if (sender === 'anonymous') return undefined;
  if (sender === 'api-key') return (await instance.newKey()).apiKey;
  return tokenWith(instance, { username: await operatorIdOf(instance, [sender]) });
};

test.each(SENDERS)(
  'no request of the sender %s, however malformed, gets a 5xx or a reply that docs/openapi.json does not declare',
  async (sender) => {
    const report: FuzzReport = { statuses: {}, problems: new Map() };
    for (let sent = 0; sent < COUNT; sent += REQUESTS_PER_TOKEN) {
      const count = Math.min(REQUESTS_PER_TOKEN, COUNT - sent);
      const part = { seed: SEED + sent, count, known: await makeKnown() };
      await fuzz(instance.url, await tokenOf(sender), part, report);
    }
    const { statuses, problems } = report;
    if (COUNT > 1_000) process.stdout.write(`${sender}: ${COUNT} requests, ${JSON.stringify(statuses)}\n`);
    expect({ seed: SEED, problems: [...problems.values()] }).toEqual({ seed: SEED, problems: [] });
  },
  60_000 + 50 * COUNT,
);
