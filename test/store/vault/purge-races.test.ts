import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { deleteSecret, restoreSecret } from '../../../lambdas/store/secrets/removals.ts';
import { createSecret, updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { keptValues } from '../../../lambdas/store/secrets/values.ts';
import type { Table } from '../../../lambdas/store/table.ts';
import { purgeVault } from '../../../lambdas/store/vault/purge.ts';
import { restoreRevision } from '../../../lambdas/store/vault/revisions.ts';
import { beforeEachCall, throttled } from '../../support/aws/intercept.ts';
import type { TestKms } from '../../support/rows/kms.ts';
import { changeAt } from '../../support/rows/table.ts';
import { day, headOf, openTestVaults, readAll, type TestVaults } from '../../support/rows/vault.ts';

let vaults: TestVaults;
let original: { table: Table; kms: TestKms; secretId: string; revision: number };
beforeAll(async () => {
  vaults = await openTestVaults();
  const { table, kms } = await vaults.open();
  const { secretId } = await createSecret(table, changeAt(day(0)), { key: 'K', value: 'v1' });
  await updateSecret(table, changeAt(day(0)), secretId, { value: 'v2' });
  const { revision } = await headOf(table);
  await deleteSecret(table, changeAt(day(0)), secretId);
  original = { table, kms, secretId, revision };
});
afterAll(() => vaults.stop());

/** Runs `outer` with `inner` in its pause before each of its calls in turn, each time on a fresh copy. */
const atEveryPause = async (
  outer: (table: Table) => Promise<unknown>,
  inner: (table: Table) => Promise<unknown>,
  after: (table: Table) => Promise<void>,
): Promise<void> => {
  for (let pause = 1, paused = true; paused; pause++) {
    const table = await vaults.copy(original.table);
    let calls = 0;
    paused = false;
    const interrupted = beforeEachCall(table, async () => {
      if (++calls !== pause) return;
      paused = true;
      await inner(table);
    });
    await outer(interrupted);
    await after(table);
  }
};

const unless = (...codes: string[]) => ({
  succeeded: () => true,
  failed: ({ code }: { code: string }) => {
    expect(codes).toContain(code);
    return false;
  },
});

test('a restore in any pause of a purge either succeeds completely or finds nothing', async () => {
  const { kms, secretId } = original;
  const { succeeded, failed } = unless('secret_not_found');
  let restored = false;
  await atEveryPause(
    (table) => purgeVault(table, day(7.1)),
    async (table) => {
      restored = await restoreSecret(table, changeAt(day(6.9)), secretId).then(succeeded, failed);
    },
    async (table) => {
      expect(await readAll(table, kms)).toEqual(restored ? { K: 'v2' } : {});
      if (restored) expect(await keptValues(table, secretId)).toHaveLength(1);
      restored = false;
    },
  );
});

test('an earlier revision restored in any pause of a purge is complete', async () => {
  const { kms, revision } = original;
  const { succeeded, failed } = unless('value_not_found');
  let restored = false;
  await atEveryPause(
    (table) => purgeVault(table, day(7.1)),
    async (table) => {
      restored = await restoreRevision(table, changeAt(day(6.9)), revision).then(succeeded, failed);
    },
    async (table) => {
      expect(await readAll(table, kms)).toEqual(restored ? { K: 'v2' } : {});
      restored = false;
    },
  );
});

test('a slow writer whose pages were purged in any of its pauses rewrites them', async () => {
  const { kms } = original;
  await atEveryPause(
    (table) => createSecret(table, changeAt(day(0)), { key: 'NEW', value: 'n' }),
    (table) => purgeVault(table, day(30)),
    async (table) => expect(await readAll(table, kms)).toEqual({ NEW: 'n' }),
  );
});

/** A purge that is killed before its last step, the removal of the deleted secret's row. */
const unfinishedPurge = async (table: Table): Promise<void> => {
  const dying = beforeEachCall(table, (operation) => {
    if (operation === TransactWriteCommand.name) throw new Error('killed');
  });
  await expect(purgeVault(dying, day(7.1))).rejects.toThrow('killed');
};

test.each([
  ['', (table: Table) => purgeVault(table, day(7.1))],
  [' in part', unfinishedPurge],
])('a restore finds nothing if the secret was purged in any of its pauses%s', async (_, purge) => {
  const { kms, secretId } = original;
  const { succeeded, failed } = unless('secret_not_found');
  let restored = false;
  await atEveryPause(
    async (table) => {
      restored = await restoreSecret(table, changeAt(day(6.9)), secretId).then(succeeded, failed);
    },
    purge,
    async (table) => {
      expect(await readAll(table, kms)).toEqual(restored ? { K: 'v2' } : {});
      expect(await keptValues(table, secretId)).toHaveLength(restored ? 1 : 0);
    },
  );
});

test('a revision is not restored if its pages were purged in any pause', async () => {
  const { kms, revision } = original;
  const { succeeded, failed } = unless('value_not_found');
  let restored = false;
  await atEveryPause(
    async (table) => {
      restored = await restoreRevision(table, changeAt(day(6.9)), revision).then(succeeded, failed);
    },
    (table) => purgeVault(table, day(7.1)),
    async (table) => expect(await readAll(table, kms)).toEqual(restored ? { K: 'v2' } : {}),
  );
});

test('a writer that does not learn of its success removes nothing', async () => {
  const table = await vaults.copy(original.table);
  const unanswered = beforeEachCall(table, async (operation, input) => {
    if (operation !== TransactWriteCommand.name) return;
    await table.documents.send(new TransactWriteCommand(input as TransactWriteCommandInput));
    throw throttled();
  });
  await expect(createSecret(unanswered, changeAt(day(1)), { key: 'NEW', value: 'n' })).rejects.toMatchObject({
    code: 'unavailable',
  });
  expect(await readAll(table, original.kms)).toEqual({ NEW: 'n' });
});
