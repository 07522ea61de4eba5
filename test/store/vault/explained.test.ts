import type { Change } from '../../../lambdas/store/audit.ts';
import { changeOfRevision } from '../../../lambdas/store/audit.ts';
import { vaultChangeProblem } from '../../../lambdas/store/integrity/vault-changes.ts';
import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { deleteSecret, restoreSecret } from '../../../lambdas/store/secrets/removals.ts';
import { createSecret, rollbackSecret, updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { getItem, type Item, type Table } from '../../../lambdas/store/table.ts';
import { changeVault } from '../../../lambdas/store/vault/changes.ts';
import { HEAD } from '../../../lambdas/store/vault/head.ts';
import { deletePage, readPages } from '../../../lambdas/store/vault/pages.ts';
import { restoreRevision } from '../../../lambdas/store/vault/revisions.ts';
import { setServing } from '../../../lambdas/store/vault/serving.ts';
import { rotateVault } from '../../../lambdas/store/vault-keys/rotation.ts';
import { beforeEachCall } from '../../support/aws/intercept.ts';
import { changeAt } from '../../support/rows/table.ts';
import { day, headOf, openTestVaults, type TestVaults } from '../../support/rows/vault.ts';

let vaults: TestVaults;
beforeAll(async () => {
  vaults = await openTestVaults();
});
afterAll(() => vaults.stop());

const now = (): Change => changeAt(day(1));
const stored = async (table: Table): Promise<Item> => (await getItem(table, HEAD)) ?? {};

const examineHead = async (
  table: Table,
  before: Item,
  after: Item,
  at = new Date(),
): Promise<string | undefined> =>
  (await vaultChangeProblem(table, { sequence: '1', key: HEAD, before, after, expired: false, at }))?.problem;

/** The findings about a change. */
const examined = async (table: Table, change: () => Promise<unknown>): Promise<string | undefined> => {
  const before = await stored(table);
  await change();
  return examineHead(table, before, await stored(table));
};

const withSecret = async (tags: readonly string[] = []) => {
  const { table, kms } = await vaults.open();
  const { secretId } = await createSecret(table, now(), { key: 'K', value: 'v', tags });
  return { table, kms, secretId };
};

test('every change that Cuevault makes is explained by its audit entry', async () => {
  const { table, kms, secretId } = await withSecret();
  const { revision } = await headOf(table);
  const pairs = [
    { key: 'K', value: 'i' },
    { key: 'NEW', value: 'i' },
  ];
  const changes: readonly (() => Promise<unknown>)[] = [
    () => createSecret(table, now(), { key: 'OTHER', value: 'v', tags: ['t'] }),
    () => updateSecret(table, now(), secretId, { value: 'w' }),
    () => updateSecret(table, now(), secretId, { tags: ['t'] }),
    () => updateSecret(table, now(), secretId, { tags: ['t'] }),
    () => updateSecret(table, now(), secretId, { value: 'x', tags: [] }),
    () => updateSecret(table, now(), secretId, { note: 'see the runbook' }),
    () => rollbackSecret(table, now(), secretId, 1),
    () => importSecrets(table, now(), pairs, ['llm']),
    () => deleteSecret(table, now(), secretId),
    () => restoreSecret(table, now(), secretId),
    () => setServing(table, now(), false),
    () => setServing(table, now(), true),
    () => restoreRevision(table, now(), revision),
  ];
  for (const change of changes) expect(await examined(table, change)).toBeUndefined();
  // A rotation changes the head several times: each step is examined.
  const reasons: unknown[] = [];
  let before = await stored(table);
  const watching = beforeEachCall(table, async () => {
    const after = await stored(table);
    if (after.revision !== before.revision) reasons.push(await examineHead(table, before, after));
    before = after;
  });
  await rotateVault(watching, kms, { now: day(1), maxAgeDays: 90, replace: 1 });
  expect(reasons).toEqual([undefined, undefined]);
});

/** What a compromised function can do: sign, and write any audit entry. */
const forge = (table: Table, secretId: string, forged: object, details?: object) =>
  changeVault(table, now(), async (head) => {
    const before = await readPages(table, head.pages);
    const after = before.map((page) => ({
      ...page,
      entries: page.entries.map((entry) => (entry.secretId === secretId ? { ...entry, ...forged } : entry)),
    }));
    const audit = { action: 'secret.update', subject: secretId, name: 'K', details: { ...details } };
    return { before, after, ...(details && { audit }), result: undefined };
  });

test('secrets that do not fit the action of the audit entry are reported', async () => {
  const { table, secretId } = await withSecret(['a']);
  const other = await createSecret(table, now(), { key: 'L', value: 'v' });
  const unfit = expect.stringContaining('does not explain what changed');
  const forgeries = [
    () => forge(table, secretId, { tags: ['b'] }, { number: 2 }),
    () => forge(table, secretId, { box: Buffer.from('other') }, { tags: ['b'] }),
    () => forge(table, secretId, { key: 'M' }, { tags: ['b'] }),
    () => forge(table, other.secretId, { secretId: 'x' }, {}),
  ];
  for (const change of forgeries) expect(await examined(table, change)).toEqual(unfit);
});

test('a head without an audit entry, or with a foreign signature, is reported', async () => {
  const { table, secretId } = await withSecret();
  const silent = () => forge(table, secretId, { tags: ['b'] });
  expect(await examined(table, silent)).toBe('A change of the vault has no audit entry of its own.');
  const revision = 9;
  const after = { ...(await stored(table)), revision };
  await expect(examineHead(table, await stored(table), after)).rejects.toMatchObject({ code: 'integrity' });
});

test('the audit entry of a revision is found by its time and number', async () => {
  const { table } = await withSecret();
  const { revision, changedAt } = await headOf(table);
  expect(await changeOfRevision(table, revision, changedAt)).toMatchObject({ action: 'secret.create' });
  expect(await changeOfRevision(table, revision + 1, changedAt)).toBeUndefined();
});

test('a change whose pages are gone is reported, unless it is so old that they were purged', async () => {
  const { table, secretId } = await withSecret();
  const [before, { pages }] = [await stored(table), await headOf(table)];
  await updateSecret(table, now(), secretId, { value: 'w' });
  const after = await stored(table);
  for (const { id } of pages) await deletePage(table, id);
  expect(await examineHead(table, before, after)).toMatch(/^Pages of the vault are gone/);
  const eightDaysAgo = new Date(Date.now() - 8 * 86_400_000);
  expect(await examineHead(table, before, after, eightDaysAgo)).toBeUndefined();
});
