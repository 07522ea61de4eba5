import { vaultGetSecrets } from '../../../contract/endpoints/secrets/vault-get-secrets.ts';
import type { Grant } from '../../../contract/functions/grants.ts';
import { JOBS } from '../../../contract/functions/jobs.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { withHotRows } from '../../../lambdas/store/hot/table.ts';
import { deleteSecret } from '../../../lambdas/store/secrets/removals.ts';
import { createSecret, updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import type { Table } from '../../../lambdas/store/table.ts';
import { purgeVault } from '../../../lambdas/store/vault/purge.ts';
import { createVaultReader } from '../../../lambdas/store/vault/reader.ts';
import { ensureVaultKey, rotateVault } from '../../../lambdas/store/vault-keys/rotation.ts';
import { beforeEachCall, interceptedClient } from '../../support/aws/intercept.ts';
import { changeAt, clientOf } from '../../support/rows/table.ts';
import { asking, day, openTestVaults, type TestVaults } from '../../support/rows/vault.ts';

let vaults: TestVaults;
beforeAll(async () => {
  vaults = await openTestVaults();
});
afterAll(() => vaults.stop());

const OURS = new Set(['vault', 'vaultPage', 'vaultKey', 'secret', 'vaultUse', 'vaultUseNames', 'auditRead']);

/** Of a document, or of attributes. */
interface Partition {
  readonly pk: string | { readonly S: string };
}

interface Input {
  readonly Key?: Partition;
  readonly Item?: Partition;
  readonly ExpressionAttributeValues?: { readonly ':pk'?: string };
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Partition[] }>>;
  readonly TransactItems?: readonly Record<string, Input>[];
}

const partitionOf = ({ Key, Item, ExpressionAttributeValues }: Input): string => {
  const value = Key?.pk ?? Item?.pk ?? ExpressionAttributeValues?.[':pk'] ?? '';
  const pk = typeof value === 'string' ? value : value.S;
  const [name = pk] =
    Object.entries(PARTITIONS).find(([, start]) =>
      start.endsWith('#') ? pk.startsWith(start) : pk === start,
    ) ?? [];
  return name;
};

/** What a table is asked for, as `<action> <partition>`: a transaction counts as its parts. */
const watched = (table: Table) => {
  const used = new Set<string>();
  const note = (action: string, input: Input) => {
    const partition = partitionOf(input);
    if (OURS.has(partition)) used.add(`${action} ${partition}`);
  };
  const noteCall = (operation: string, input: unknown) => {
    const { TransactItems, RequestItems = {} } = input as Input;
    for (const { Keys } of Object.values(RequestItems)) {
      for (const Key of Keys) note('BatchGetItem', { Key });
    }
    for (const part of TransactItems ?? []) {
      for (const [action, one] of Object.entries(part)) note(`${action}Item`, one);
    }
    const action = operation.replace(/(Item)?Command$/, '');
    if (TransactItems === undefined) note(action === 'Query' ? action : `${action}Item`, input as Input);
  };
  const client = interceptedClient(clientOf(table), ({ name, input }, next) => {
    noteCall(name, input);
    return next();
  });
  return { table: beforeEachCall(table, noteCall), client, used };
};

const granted = (grants: readonly Grant[]): Set<string> =>
  new Set(
    grants.flatMap((grant) =>
      grant.on === 'table'
        ? grant.partitions
            .filter((partition) => OURS.has(partition))
            .flatMap((partition) => grant.actions.map((action) => `${action} ${partition}`))
        : [],
    ),
  );

const jobGrants = (id: string) => granted(JOBS.find((job) => job.id === id)?.grants ?? []);

const fill = async (table: Table): Promise<void> => {
  const { secretId } = await createSecret(table, changeAt(day(0)), { key: 'K', value: 'v1' });
  await updateSecret(table, changeAt(day(0)), secretId, { value: 'v2' });
  const gone = await createSecret(table, changeAt(day(0)), { key: 'GONE', value: 'g' });
  await updateSecret(table, changeAt(day(0)), gone.secretId, { value: 'g2' });
  await deleteSecret(table, changeAt(day(0)), gone.secretId);
};

test('the rotation job needs exactly what it is granted', async () => {
  const { table, kms } = await vaults.open();
  await fill(table);
  const { table: watching, used } = watched(table);
  await ensureVaultKey(watching, kms, day(0));
  let commits = 0;
  const racing = beforeEachCall(watching, async (operation) => {
    // The second commit is that of a re-encrypted page: it loses a race.
    if (operation !== 'TransactWriteCommand' || ++commits !== 2) return;
    await createSecret(table, changeAt(day(0)), { key: 'RACE', value: 'r' });
  });
  await rotateVault(racing, kms, { now: day(1), maxAgeDays: 90, replace: 1 });
  await rotateVault(watching, kms, { now: day(20), maxAgeDays: 90 });
  expect([...used].sort()).toEqual([...jobGrants('vault-rotate')].sort());
});

test('the purge needs exactly what it is granted', async () => {
  const { table } = await vaults.open();
  await fill(table);
  const { table: watching, used } = watched(table);
  await purgeVault(watching, day(30));
  expect([...used].sort()).toEqual([...jobGrants('table-purge')].sort());
});

test('the reader needs exactly what it is granted', async () => {
  const { table, kms } = await vaults.open();
  await fill(table);
  const { table: watching, client, used } = watched(table);
  const reader = createVaultReader(withHotRows(watching, client), kms);
  await reader.read(await reader.head(), asking());
  expect([...used].sort()).toEqual([...granted(vaultGetSecrets.grants)].sort());
});
