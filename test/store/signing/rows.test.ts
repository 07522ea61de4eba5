import { apiKeyKey, findApiKey } from '../../../lambdas/store/api-keys/api-key-row.ts';
import { createApiKey, revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { headKey, readPromptHead } from '../../../lambdas/store/prompts/head.ts';
import { deleteVersion, publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { versionKey } from '../../../lambdas/store/prompts/versions.ts';
import { content, newPrompt } from '../../support/rows/prompts.ts';
import { changeAt, expectRefused, table, withTestTable } from '../../support/rows/table.ts';
import { editRow, plantRow, rawRow } from '../../support/rows/tampering.ts';

withTestTable();

const newKey = async () => {
  const input = { name: 'app', permissions: ['prompts'] as const };
  return (await createApiKey(table, changeAt(), input)).record.keyId;
};

test('a revoked API key keeps neither hash nor signature, and is found without verification', async () => {
  const keyId = await newKey();
  const sign = () => Promise.reject(new Error('signs'));
  await revokeApiKey({ ...table, signing: { ...table.signing, sign } }, changeAt(), keyId);
  const row = await rawRow(table, apiKeyKey(keyId));
  expect(row).not.toHaveProperty('hash');
  expect(row).not.toHaveProperty('signature');
  const found = await findApiKey(table, keyId);
  expect(found).toMatchObject({ hash: '', revokedBy: expect.any(String) });
});

describe('a prompt', () => {
  test('never signs planted data: the latest version after a deletion is verified first', async () => {
    const { promptId } = await newPrompt(table);
    await publishVersion(table, changeAt(), promptId, { ...content('Two'), version: '2.0.0' });
    await editRow(table, versionKey(promptId, '1.0.0'), { prompt: 'planted' });
    await expectRefused(deleteVersion(table, changeAt(), promptId, '2.0.0'), 'integrity');
    expect((await readPromptHead(table, promptId))?.latest).toBe('2.0.0');
  });
});

test('verified rows are cached and not verified again', async () => {
  const { promptId } = await newPrompt(table);
  const first = await readPromptHead(table, promptId);
  const row = await rawRow(table, headKey(promptId));
  expect(await readPromptHead(table, promptId)).toEqual(first);
  // The cache is keyed by the row with its signature: neither can be exchanged.
  await plantRow(table, { ...row, signature: Buffer.from(row.signature as Uint8Array).reverse() });
  await expectRefused(readPromptHead(table, promptId), 'integrity');
});
