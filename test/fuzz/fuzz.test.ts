import { scaled, SEED as USUAL } from '../support/sampled.ts';
import { instance, withOwnInstance } from '../support/shared/instance.ts';
import { fuzzAs, SENDERS } from './world.ts';

const COUNT = Number(process.env.CUEVAULT_FUZZ_COUNT ?? scaled(20_000, 100));
const SEED = Number(process.env.CUEVAULT_FUZZ_SEED ?? USUAL);

withOwnInstance();

test.each(SENDERS)(
  'no request of the sender %s, however malformed, gets a 5xx or a reply that docs/openapi.json does not declare',
  async (sender) => {
    const { statuses, problems } = await fuzzAs(instance, sender, SEED, COUNT);
    if (COUNT > 1_000) process.stdout.write(`${sender}: ${COUNT} requests, ${JSON.stringify(statuses)}\n`);
    expect({ seed: SEED, problems }).toEqual({ seed: SEED, problems: [] });
  },
  60_000 + 50 * COUNT,
);
