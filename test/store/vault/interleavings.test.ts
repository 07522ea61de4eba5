import { inParallel } from '../../../lambdas/core/parallel.ts';
import { findSecret } from '../../../lambdas/store/secrets/secret-lists.ts';
import type { Vault } from '../../../lambdas/store/vault/vault.ts';
import { rotateVault } from '../../../lambdas/store/vault-keys/rotation.ts';
import { beforeEachCall } from '../../support/aws/intercept.ts';
import type { TestKms } from '../../support/rows/kms.ts';
import { asking, day, readAll, secretsOn, vaults, withTestVaults } from '../../support/rows/vault.ts';
import { sampled } from '../../support/sampled.ts';

interface Scene {
  readonly table: Vault;
  readonly kms: TestKms;
  readonly live: string;
  readonly gone: string;
}

withTestVaults();

let original: Scene;
beforeAll(async () => {
  const { table, kms } = await vaults.open();
  const vault = secretsOn(9, table);
  const { secretId: live } = await vault.create('LIVE', 'l1');
  await vault.update(live, 'l2');
  const { secretId: gone } = await vault.create('GONE', 'g1');
  await vault.remove(gone);
  original = { table, kms, live, gone };
});

const scene = async (): Promise<Scene> => ({ ...original, table: await vaults.copy(original.table) });

const supersede = ({ kms }: Scene, table: Vault) =>
  rotateVault(table, kms, { now: day(1), maxAgeDays: 90, replace: 1 });
const retire = ({ kms }: Scene, table: Vault) => rotateVault(table, kms, { now: day(19), maxAgeDays: 90 });

/** The life cycle of a key pair: it is superseded, its values are re-encrypted, and it is removed. */
const rotate = async (scene: Scene, table: Vault): Promise<void> => {
  await supersede(scene, table);
  await retire(scene, table);
};

const saveIn = (table: Vault) => secretsOn(10, table);
type Save = (scene: Scene, table: Vault) => Promise<unknown>;
const create: Save = (_, table) => saveIn(table).create('NEW', 'n1');
const update: Save = ({ live }, table) => saveIn(table).update(live, 'l3');
const tag: Save = ({ live }, table) => saveIn(table).update(live, { tags: ['t'] });
const rollBack: Save = ({ live }, table) => saveIn(table).rollBack(live, 1);
const remove: Save = ({ live }, table) => saveIn(table).remove(live);
// In reality, a key pair outlives everything restorable that it sealed. Here, the clocks of the two runs differ.
const goneWithItsPair = ({ code }: { readonly code: string }) => expect(code).toBe('secret_not_found');
const restore: Save = ({ gone }, table) => saveIn(table).restore(gone).catch(goneWithItsPair);
const together =
  (...saves: Save[]): Save =>
  async (scene, table) => {
    for (const save of saves) await save(scene, table);
  };

/** Decrypts every value: the current ones, and the earlier and deleted ones after rollbacks and restores. */
const readEverything = async ({ table, kms, live, gone }: Scene): Promise<void> => {
  await readAll(asking(), table, kms);
  for (const secretId of [live, gone]) {
    const code = await secretsOn(11, table)
      .restore(secretId)
      .catch((error) => error.code as string);
    if (code === 'secret_not_found') continue;
    if (typeof code === 'string') expect(code).toBe('not_deleted');
    for (const { number } of (await findSecret(table, secretId)).values) {
      await secretsOn(11, table).rollBack(secretId, number);
      await readAll(asking(), table, kms);
    }
  }
};

/** Runs `outer` and, in its pause before the given call, the whole of `inner`. Returns whether it paused. */
const pausing = async (
  table: Vault,
  pause: number,
  outer: (table: Vault) => Promise<unknown>,
  inner: () => Promise<unknown>,
): Promise<boolean> => {
  let calls = 0;
  let paused = false;
  await outer(
    beforeEachCall(table, async () => {
      if (++calls !== pause) return;
      paused = true;
      await inner();
    }),
  );
  return paused;
};

/** More calls than any run makes; the last pauses must come too late. */
const SAVE_CALLS = 16;
const ROTATION_CALLS = 52;
const RETIREMENT_CALLS = 24;

/** Tries the pauses, each in its own vault, several concurrently, and expects the last one to come too late. */
const atEveryPause = async (calls: number, attempt: (at: Scene, pause: number) => Promise<boolean>) => {
  const pauses = sampled(Array.from({ length: calls }, (_, n) => n + 1));
  const paused = await inParallel(pauses, async (pause) => {
    try {
      return await attempt(await scene(), pause);
    } catch (error) {
      throw new Error(`With a pause before call ${pause}`, { cause: error });
    }
  });
  expect(paused[0]).toBe(true);
  expect(paused.at(-1)).toBe(false);
};

test.each<[string, Save]>([
  ['update', update],
  ['roll back', rollBack],
  ['delete', remove],
  ['restore', restore],
])(
  'the whole life cycle of a key pair in any pause of a save (%s) leaves everything readable',
  async (_, save) => {
    await atEveryPause(SAVE_CALLS, async (at, pause) => {
      const outer = (table: Vault) => save(at, table);
      const paused = await pausing(at.table, pause, outer, async () => {
        await supersede(at, at.table);
        await saveIn(at.table).update(at.live, 'between');
        await retire(at, at.table);
      });
      await readEverything(at);
      return paused;
    });
  },
);

test('saves inside any pause of a rotation leave all readable', async () => {
  const save = together(create, restore, update, rollBack, tag);
  await atEveryPause(ROTATION_CALLS, async (at, pause) => {
    const outer = (table: Vault) => rotate(at, table);
    const paused = await pausing(at.table, pause, outer, () => save(at, at.table));
    await rotateVault(at.table, at.kms, { now: day(29), maxAgeDays: 90 });
    await readEverything(at);
    return paused;
  });
});

test.each<[string, Save]>([
  ['roll back', rollBack],
  ['restore', restore],
])(
  'a save (%s) that holds an old box and commits at any call of the retirement is readable',
  async (_, save) => {
    await atEveryPause(RETIREMENT_CALLS, async (at, pause) => {
      const ready = Promise.withResolvers<void>();
      const commit = Promise.withResolvers<void>();
      let saved: Promise<unknown> = Promise.resolve();
      const held = beforeEachCall(at.table, (operation) => {
        if (operation !== 'TransactWriteCommand') return;
        ready.resolve();
        return commit.promise;
      });
      // Values are sealed again, and the page that names them is not yet written.
      const starting = beforeEachCall(at.table, async (operation, input) => {
        const reencrypts = operation === 'PutCommand' && JSON.stringify(input).includes('VALUE#');
        if (!reencrypts || started) return;
        started = true;
        saved = save(at, held);
        await ready.promise;
      });
      let started = false;
      await supersede(at, starting);
      expect(started).toBe(true);
      const paused = await pausing(
        at.table,
        pause,
        (table) => retire(at, table),
        async () => {
          commit.resolve();
          await saved;
        },
      );
      commit.resolve();
      await saved;
      await readEverything(at);
      return paused;
    });
  },
);
