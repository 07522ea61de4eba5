import type { SecretEntry } from '../../../lambdas/core/vault/secrets.ts';
import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { createVaultReader } from '../../../lambdas/store/secrets/reader.ts';
import { deleteSecret } from '../../../lambdas/store/secrets/removals.ts';
import { createSecret, updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { readPage } from '../../../lambdas/store/vault/page-rows.ts';
import type { Vault } from '../../../lambdas/store/vault/vault.ts';
import { changeAt } from '../../support/rows/table.ts';
import { rewriteEntries } from '../../support/rows/tampering.ts';
import { asking, headOf, readAll, vaults, withTestVaults } from '../../support/rows/vault.ts';

withTestVaults();

const entriesOf = async (table: Vault) => {
  const [ref] = (await headOf(table)).pages;
  if (ref === undefined) throw new Error('no page');
  return { ref, page: await readPage(table, ref) };
};

const entryOf = async (table: Vault, key: string): Promise<SecretEntry> => {
  const entry = (await entriesOf(table)).page.entries.find((one) => one.key === key);
  if (entry === undefined) throw new Error('no entry');
  return entry;
};

/** Gives one secret another box, as a compromised function that writes the vault could. */
const forge = (table: Vault, key: string, forged: Partial<SecretEntry>): Promise<void> =>
  rewriteEntries(table, changeAt(), (entry) => (entry.key === key ? { ...entry, ...forged } : entry));

test('a damaged box fails only the requests for it', async () => {
  const { table, kms } = await vaults.open();
  await importSecrets(table, changeAt(), [
    { key: 'BAD', value: 'b' },
    { key: 'GOOD', value: 'g' },
  ]);
  const { box } = await entryOf(table, 'BAD');
  await forge(table, 'BAD', { box: box.map((byte, index) => (index === box.length - 1 ? byte ^ 1 : byte)) });
  const reader = createVaultReader(table, kms);
  const head = await reader.head();
  for (const filter of [{}, { key: 'BAD' }]) {
    const failure = await reader.read(head, asking(filter)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toHaveProperty('code');
  }
  expect(await reader.read(head, asking({ key: 'GOOD' }))).toMatchObject({ GOOD: 'g' });
});

test.each<[string, (table: Vault, secretId: string) => Promise<unknown>]>([
  ['secret', (table) => createSecret(table, changeAt(), { key: 'MINE', value: 'mine' })],
  ['value of the same secret', (table, id) => updateSecret(table, changeAt(), id, { value: 'new' })],
  [
    'secret of the same name, which was deleted,',
    async (table, id) => {
      await deleteSecret(table, changeAt(), id);
      await createSecret(table, changeAt(), { key: 'YOURS', value: 'new' });
    },
  ],
])('the box of another %s cannot be decrypted', async (what, change) => {
  const { table, kms } = await vaults.open();
  const { secretId } = await createSecret(table, changeAt(), { key: 'YOURS', value: 'your' });
  const { box } = await entryOf(table, 'YOURS');
  await change(table, secretId);
  const key = what === 'secret' ? 'MINE' : 'YOURS';
  await forge(table, key, { box });
  await expect(readAll(table, kms, asking({ key }))).rejects.toThrow('does not open');
});
