import type { SecretEntry } from '../../../lambdas/core/vault/secrets.ts';
import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { createVaultReader } from '../../../lambdas/store/secrets/reader.ts';
import { deleteSecret } from '../../../lambdas/store/secrets/removals.ts';
import { createSecret, updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { readPage } from '../../../lambdas/store/vault/page-rows.ts';
import { changeAt } from '../../support/rows/table.ts';
import { rewriteEntries } from '../../support/rows/tampering.ts';
import { asking, headOf, kms, readAll, table, withTestVaults } from '../../support/rows/vault.ts';

withTestVaults();

const entriesOf = async () => {
  const [ref] = (await headOf(table)).pages;
  if (ref === undefined) throw new Error('no page');
  return { ref, page: await readPage(table, ref) };
};

const entryOf = async (key: string): Promise<SecretEntry> => {
  const entry = (await entriesOf()).page.entries.find((one) => one.key === key);
  if (entry === undefined) throw new Error('no entry');
  return entry;
};

/** Gives one secret another box, as a compromised function that writes the vault could. */
const forge = (key: string, forged: Partial<SecretEntry>): Promise<void> =>
  rewriteEntries(table, changeAt(), (entry) => (entry.key === key ? { ...entry, ...forged } : entry));

test('a damaged box fails only the requests for it', async () => {
  await importSecrets(table, changeAt(), [
    { key: 'BAD', value: 'b' },
    { key: 'GOOD', value: 'g' },
  ]);
  const { box } = await entryOf('BAD');
  await forge('BAD', { box: box.map((byte, index) => (index === box.length - 1 ? byte ^ 1 : byte)) });
  const reader = createVaultReader(table, kms);
  const head = await reader.head();
  for (const filter of [{}, { key: 'BAD' }]) {
    const failure = await reader.read(head, asking(filter)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toHaveProperty('code');
  }
  expect(await reader.read(head, asking({ key: 'GOOD' }))).toMatchObject({ GOOD: 'g' });
});

test.each<[string, Partial<SecretEntry>, (secretId: string) => Promise<unknown>]>([
  ['another secret', { key: 'MINE' }, () => createSecret(table, changeAt(), { key: 'MINE', value: 'mine' })],
  ['another value of the same secret', {}, (id) => updateSecret(table, changeAt(), id, { value: 'new' })],
  [
    'a deleted secret of the same name',
    {},
    async (id) => {
      await deleteSecret(table, changeAt(), id);
      await createSecret(table, changeAt(), { key: 'YOURS', value: 'new' });
    },
  ],
])('the box of %s cannot be decrypted', async (_, { key = 'YOURS' }, change) => {
  const { secretId } = await createSecret(table, changeAt(), { key: 'YOURS', value: 'your' });
  const { box } = await entryOf('YOURS');
  await change(secretId);
  await forge(key, { box });
  await expect(readAll(table, kms, asking({ key }))).rejects.toThrow('does not open');
});

test('a secret cannot be read under another name, with tags that a restricted key may read', async () => {
  await createSecret(table, changeAt(), { key: 'TOKEN', value: 'secret', tags: ['production'] });
  await forge('TOKEN', { key: 'RENAMED', tags: ['free'] });
  await expect(readAll(table, kms, asking({}, ['free']))).rejects.toThrow('does not open');
});
