import { daysAfter } from '../../lambdas/core/days.ts';
import { readRestrictions } from '../../lambdas/store/api-keys/restrictions.ts';
import { getPrompt } from '../../lambdas/store/prompts/lifecycle.ts';
import { publishVersion } from '../../lambdas/store/prompts/publishing.ts';
import { listVersions } from '../../lambdas/store/prompts/version-lists.ts';
import { listPendingWrites } from '../../lambdas/store/vault/pending-writes.ts';
import { purgeVault } from '../../lambdas/store/vault/purge.ts';
import { newApiKey } from '../support/rows/api-keys.ts';
import { content, newPrompt, promptFinder } from '../support/rows/prompts.ts';
import { changeAt } from '../support/rows/table.ts';
import { headOf, readAll, secretsOn, table, withTestVaults } from '../support/rows/vault.ts';

withTestVaults();

/** What each of several writers does at the same time, and what is stored afterwards. */
interface Race<Written> {
  readonly write: (n: number) => Promise<unknown>;
  readonly stored: () => Promise<Written | undefined>;
}
type Begin<Written> = () => Promise<Race<Written>>;

const textOf = (n: number) => `by ${n}`;

test.each<[string, string, Begin<string>]>([
  [
    'creators of a prompt',
    'name_taken',
    async () => ({
      write: (n) => newPrompt(table, { prompt: textOf(n), name: 'contested' }),
      stored: async () => (await promptFinder(table)({ name: 'contested' })).prompt,
    }),
  ],
  [
    'publishers of a version',
    'version_taken',
    async () => {
      const { promptId } = await newPrompt(table);
      return {
        write: (n) =>
          publishVersion(table, changeAt(), promptId, { ...content(textOf(n)), version: '2.0.0' }),
        stored: async () => (await promptFinder(table)({ promptId })).prompt,
      };
    },
  ],
  [
    'creators of a secret',
    'secret_key_taken',
    async () => ({
      write: (n) => secretsOn().create('K', textOf(n)),
      stored: async () => (await readAll()).K,
    }),
  ],
  [
    'changes of the same value',
    'changed_meanwhile',
    async () => {
      const { secretId } = await secretsOn().create('K', textOf(-1));
      return {
        write: (n) => secretsOn().update(secretId, { value: textOf(n), number: 1 }),
        stored: async () => (await readAll()).K,
      };
    },
  ],
])('of twenty simultaneous %s exactly one wins, and what it wrote is stored', async (_, code, begin) => {
  const { write, stored } = await begin();
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      write(n).then(
        () => textOf(n),
        (error) => error.code,
      ),
    ),
  );
  expect(outcomes.filter((outcome) => outcome !== code)).toEqual([await stored()]);
});

/** The versions of a prompt after the first, with which its head agrees. */
const versionsOf = async (promptId: string) => {
  const { head } = await getPrompt(table, promptId);
  const { items } = await listVersions(table, head, 100);
  expect(head).toMatchObject({ versions: items.length, rev: items.length, latest: items[0]?.version });
  return items.map(({ version }) => version).slice(0, -1);
};

const publishing =
  (inputOf: (n: number) => { version: string } | { bump: 'patch' }): Begin<string[]> =>
  async () => {
    const { promptId } = await newPrompt(table);
    return {
      write: async (n) =>
        (await publishVersion(table, changeAt(), promptId, { ...content('x'), ...inputOf(n) })).version,
      stored: () => versionsOf(promptId),
    };
  };

test.each<[string, Begin<string[]>]>([
  ['publishers of different versions', publishing((n) => ({ version: `2.${n}.0` }))],
  ['publishers that bump the same part', publishing(() => ({ bump: 'patch' }))],
  [
    'creators of different secrets',
    async () => ({
      write: async (n) => (await secretsOn().create(`K${n}`, 'v')).key,
      stored: async () => {
        expect(await headOf(table)).toMatchObject({ count: 8, bytes: 8 });
        // What lost races left behind.
        const { writings } = await purgeVault(table, daysAfter(new Date(), 2));
        expect(writings).toBeGreaterThan(0);
        expect(await Array.fromAsync(listPendingWrites(table))).toEqual([]);
        return Object.keys(await readAll());
      },
    }),
  ],
  [
    'creators of restricted API keys',
    async () => ({
      write: async (n) => {
        return (await newApiKey(table, { name: `key ${n}`, tags: ['t'] })).record.name;
      },
      stored: async () => (await readRestrictions(table)).keys.map(({ name }) => name),
    }),
  ],
])('eight simultaneous %s all win, and nothing that they wrote is missing', async (_, begin) => {
  const { write, stored } = await begin();
  const written = await Promise.all(Array.from({ length: 8 }, (_, n) => write(n)));
  expect((await stored())?.sort()).toEqual(written.sort());
  expect(new Set(written).size).toBe(8);
});
