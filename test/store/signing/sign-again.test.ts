import { PARTITIONS } from '../../../contract/table.ts';
import { findApiKey } from '../../../lambdas/store/api-keys/api-key-row.ts';
import { createApiKey, revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { headKey, readHead } from '../../../lambdas/store/prompts/head.ts';
import { protectLabel, readProtection } from '../../../lambdas/store/prompts/protection.ts';
import { deleteVersion, publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { createPromptReader } from '../../../lambdas/store/prompts/reader.ts';
import { versionKey } from '../../../lambdas/store/prompts/versions.ts';
import { createSecret, updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { signAgain } from '../../../lambdas/store/signing/sign-again.ts';
import { createSigning } from '../../../lambdas/store/signing/signing.ts';
import type { Key, Table } from '../../../lambdas/store/table.ts';
import { listRevisions } from '../../../lambdas/store/vault/head.ts';
import { signEveryRow } from '../../../scripts/sign-again/signed-rows.ts';
import { content, failure, newPrompt } from '../../support/rows/prompts.ts';
import { createTestSigningKey } from '../../support/rows/signing.ts';
import { changeAt } from '../../support/rows/table.ts';
import { editRow, rawRow } from '../../support/rows/tampering.ts';
import { openTestVaults, readAll, type TestVaults } from '../../support/rows/vault.ts';

let vaults: TestVaults;
beforeAll(async () => {
  vaults = await openTestVaults();
});
afterAll(() => vaults.stop());

const [former, next] = [createTestSigningKey(), createTestSigningKey()];

/** The table for functions that sign with the first key and verify with all. */
const signedBy = (table: Table, ...keys: (typeof former)[]): Table => ({
  ...table,
  signing: createSigning(keys.map(({ publicKey }) => publicKey).join(' '), keys[0]?.signer),
});

/** A vault, prompts and API keys with rows of every signed kind, signed with the former key. */
const filled = async () => {
  const { table, kms } = await vaults.open((opened) => signedBy(opened, former));
  const { promptId } = await newPrompt(table, { prompt: 'One' });
  await publishVersion(table, changeAt(), promptId, { ...content('Two'), bump: 'minor' });
  await publishVersion(table, changeAt(), promptId, { ...content('Three'), bump: 'minor' });
  await deleteVersion(table, changeAt(), promptId, '1.1.0');
  await protectLabel(table, changeAt(), 'production');
  const { secretId } = await createSecret(table, changeAt(), { key: 'TOKEN', value: 'first', tags: [] });
  await updateSecret(table, changeAt(), secretId, { value: 'second' });
  const make = () => createApiKey(table, changeAt(), { name: 'app', permissions: ['prompts'] });
  const [{ record }, revoked] = [await make(), await make()];
  await revokeApiKey(table, changeAt(), revoked.record.keyId);
  return { table, kms, promptId, keyId: record.keyId, revokedId: revoked.record.keyId };
};

const batch = (table: Table) => (rows: readonly Key[]) => signAgain(table, rows);

test('after signing again and dropping the former key, everything reads', async () => {
  const { table, kms, promptId, keyId, revokedId } = await filled();
  const both = signedBy(table, next, former);
  const report = await signEveryRow(both, batch(both));
  expect(report).toEqual({ signed: expect.any(Number), refused: [] });
  const dropped = signedBy(table, next);
  expect(await createPromptReader(dropped).find({ promptId })).toMatchObject({ prompt: 'Three' });
  expect(await createPromptReader(dropped).find({ promptId, version: '1.0.0' })).toMatchObject({
    prompt: 'One',
  });
  expect((await readProtection(dropped)).labels).toMatchObject([{ label: 'production' }]);
  expect(await readAll(dropped, kms)).toMatchObject({ TOKEN: 'second' });
  expect(await Array.fromAsync(listRevisions(dropped))).toHaveLength(2);
  expect(await findApiKey(dropped, keyId)).toMatchObject({ keyId, permissions: ['prompts'] });
  expect(await findApiKey(dropped, revokedId)).toMatchObject({ revokedAt: expect.any(String) });
  expect(await signEveryRow(dropped, batch(dropped))).toEqual({ signed: 0, refused: [] });
});

test('a row that is not signed again is refused once the former key is dropped', async () => {
  const { table, promptId } = await filled();
  await expect(readHead(signedBy(table, next), promptId)).rejects.toMatchObject(failure('integrity'));
});

test('a planted or edited row is reported, stays as it is and stays refused', async () => {
  const { table, promptId, keyId } = await filled();
  const both = signedBy(table, next, former);
  const keys = [versionKey(promptId, '1.0.0'), { pk: PARTITIONS.apiKey + keyId, sk: 'KEY' }];
  await editRow(table, versionKey(promptId, '1.0.0'), { prompt: 'planted' });
  await editRow(
    table,
    { pk: PARTITIONS.apiKey + keyId, sk: 'KEY' },
    { permissions: ['secrets'], signature: undefined },
  );
  const before = await Promise.all(keys.map((key) => rawRow(table, key)));
  const { refused } = await signEveryRow(both, batch(both));
  expect(refused.map(({ pk, sk }) => ({ pk, sk }))).toEqual(expect.arrayContaining(keys));
  expect(refused).toHaveLength(keys.length);
  expect(await Promise.all(keys.map((key) => rawRow(table, key)))).toEqual(before);
  await expect(findApiKey(both, keyId)).rejects.toMatchObject(failure('integrity'));
});

test('an interrupted run is completed by the next one, which leaves what is signed', async () => {
  const { table } = await filled();
  const both = signedBy(table, next, former);
  let done = 0;
  const interrupted = signEveryRow(both, async (rows) => {
    done = (await signAgain(both, rows.slice(0, rows.length / 2))).signed;
    throw new Error('interrupted');
  });
  await expect(interrupted).rejects.toThrow('interrupted');
  const { table: whole } = await filled();
  const all = await signEveryRow(signedBy(whole, next, former), batch(signedBy(whole, next, former)));
  expect((await signEveryRow(both, batch(both))).signed).toBe(all.signed - done);
  expect(done).toBeGreaterThan(0);
});

test('a row that changes meanwhile keeps the signature of its change', async () => {
  const { table, promptId } = await filled();
  const both = signedBy(table, next, former);
  const publish = () => publishVersion(both, changeAt(), promptId, { ...content('Four'), bump: 'minor' });
  const slow = {
    ...both,
    signing: {
      ...both.signing,
      sign: async (message: Uint8Array) => {
        await publish();
        return both.signing.sign(message);
      },
    },
  };
  expect(await signAgain(slow, [headKey(promptId)])).toEqual({ signed: 0, refused: [] });
  expect(await readHead(signedBy(table, next), promptId)).toMatchObject({ latest: '1.3.0' });
});
