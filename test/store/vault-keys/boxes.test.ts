import type { SecretEntry } from '../../../lambdas/core/vault/secrets.ts';
import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { createVaultReader } from '../../../lambdas/store/secrets/reader.ts';
import { allEntries } from '../../../lambdas/store/vault/locations.ts';
import { changeAt } from '../../support/rows/table.ts';
import { rewriteEntries } from '../../support/rows/tampering.ts';
import { asking, headOf, kms, readAll, secretsOn, table, withTestVaults } from '../../support/rows/vault.ts';

withTestVaults();

const boxOf = async (key: string): Promise<Uint8Array> => {
  const entries = await allEntries(table, await headOf(table));
  return entries.find((one) => one.key === key)?.box ?? new Uint8Array();
};

/** Gives one secret another box, as a compromised function that writes the vault could. */
const forge = (key: string, forged: Partial<SecretEntry>): Promise<void> =>
  rewriteEntries(table, changeAt(), (entry) => (entry.key === key ? { ...entry, ...forged } : entry));

test('a damaged box fails only the requests for it', async () => {
  await importSecrets(table, changeAt(), [
    { key: 'BAD', value: 'b' },
    { key: 'GOOD', value: 'g' },
  ]);
  const box = await boxOf('BAD');
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
  ['another secret', { key: 'MINE' }, () => secretsOn().create('MINE', 'mine')],
  ['another value of the same secret', {}, (id) => secretsOn().update(id, 'new')],
  [
    'a deleted secret of the same name',
    {},
    async (id) => {
      await secretsOn().remove(id);
      await secretsOn().create('YOURS', 'new');
    },
  ],
])('the box of %s cannot be decrypted', async (_, { key = 'YOURS' }, change) => {
  const { secretId } = await secretsOn().create('YOURS', 'your');
  const box = await boxOf('YOURS');
  await change(secretId);
  await forge(key, { box });
  await expect(readAll(asking({ key }))).rejects.toThrow('does not open');
});

test('a secret cannot be read under another name, with tags that a restricted key may read', async () => {
  await secretsOn().create('TOKEN', 'secret', ['production']);
  await forge('TOKEN', { key: 'RENAMED', tags: ['free'] });
  await expect(readAll(asking({}, ['free']))).rejects.toThrow('does not open');
});
