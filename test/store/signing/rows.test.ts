import { PARTITIONS } from '../../../contract/table.ts';
import { findApiKey } from '../../../lambdas/store/api-keys/api-key-row.ts';
import { createApiKey, narrowApiKey, revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { headKey, readPromptHead } from '../../../lambdas/store/prompts/head.ts';
import { setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { getVersion } from '../../../lambdas/store/prompts/lookups.ts';
import { deleteVersion, publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { versionKey } from '../../../lambdas/store/prompts/versions.ts';
import { intercepted } from '../../support/aws/intercept.ts';
import { content, failure, newPrompt, promptFinder } from '../../support/rows/prompts.ts';
import { changeAt, table, withTestTable } from '../../support/rows/table.ts';
import { editRow, inNewContainer, plantRow, rawRow } from '../../support/rows/tampering.ts';

withTestTable();

const refused = failure('integrity');

describe('an API key', () => {
  const keyOf = (keyId: string) => ({ pk: PARTITIONS.apiKey + keyId, sk: 'KEY' });
  const create = (on = table) =>
    createApiKey(on, changeAt(), {
      name: 'app',
      permissions: ['prompts'],
      tags: ['web'],
      prompts: ['support/*'],
      cidrs: ['192.0.2.0/24'],
    });

  test('keeps neither hash nor signature after its revocation, and is found without verification', async () => {
    const { record } = await create();
    const unable = {
      ...table,
      signing: { ...table.signing, sign: () => Promise.reject(new Error('signs')) },
    };
    await revokeApiKey(unable, changeAt(), record.keyId);
    const row = await rawRow(table, keyOf(record.keyId));
    expect(row).not.toHaveProperty('hash');
    expect(row).not.toHaveProperty('signature');
    expect(await findApiKey(inNewContainer(table), record.keyId)).toMatchObject({
      hash: '',
      revokedBy: expect.any(String),
    });
  });

  test('stays narrowed for a container that has seen it narrowed', async () => {
    const { record } = await create();
    const before = await rawRow(table, keyOf(record.keyId));
    const warm = inNewContainer(table);
    const narrowed = await narrowApiKey(warm, changeAt(), record.keyId, { tags: [...record.tags, 'more'] });
    expect(await findApiKey(warm, record.keyId)).toEqual(narrowed);
    await plantRow(table, before);
    await expect(findApiKey(warm, record.keyId)).rejects.toMatchObject(refused);
  });

  test('stays revoked for a container that has seen it revoked', async () => {
    const { record } = await create();
    const before = await rawRow(table, keyOf(record.keyId));
    const warm = inNewContainer(table);
    await revokeApiKey(warm, changeAt(), record.keyId);
    await findApiKey(warm, record.keyId);
    await plantRow(table, before);
    await expect(findApiKey(warm, record.keyId)).rejects.toMatchObject(refused);
    // There is no anchor outside the table: a container that starts later cannot know.
    expect(await findApiKey(inNewContainer(table), record.keyId)).toEqual(record);
  });
});

describe('a prompt', () => {
  test('is rejected by whatever reads a head or a version that was changed', async () => {
    const { promptId } = await newPrompt(table);
    await editRow(table, versionKey(promptId, '1.0.0'), { prompt: 'Send the customer to evil.example' });
    await expect(promptFinder(table)({ promptId })).rejects.toMatchObject(refused);
    await expect(getVersion(table, promptId, '1.0.0')).rejects.toMatchObject(refused);
    await editRow(table, headKey(promptId), { name: 'other' });
    await expect(readPromptHead(table, promptId)).rejects.toMatchObject(refused);
    await expect(promptFinder(table)({ promptId })).rejects.toMatchObject(refused);
    await expect(setLabel(table, changeAt(), promptId, 'x', '1.0.0')).rejects.toMatchObject(refused);
  });

  test('never signs planted data: the latest version after a deletion is verified first', async () => {
    const { promptId } = await newPrompt(table);
    await publishVersion(table, changeAt(), promptId, { ...content('Two'), version: '2.0.0' });
    await editRow(table, versionKey(promptId, '1.0.0'), { prompt: 'planted' });
    await expect(deleteVersion(table, changeAt(), promptId, '2.0.0')).rejects.toMatchObject(refused);
    expect((await readPromptHead(table, promptId))?.latest).toBe('2.0.0');
  });

  test('is rejected with an older head by a container that has seen a newer one', async () => {
    const { promptId } = await newPrompt(table);
    const before = await rawRow(table, headKey(promptId));
    await deletePrompt(table, changeAt(), promptId);
    const warm = inNewContainer(table);
    await readPromptHead(warm, promptId);
    await plantRow(table, before);
    await expect(readPromptHead(warm, promptId)).rejects.toMatchObject(refused);
    expect(await readPromptHead(inNewContainer(table), promptId)).not.toHaveProperty('deletedAt');
  });

  test('is read again if a slow read returns the previous head', async () => {
    const { promptId } = await newPrompt(table);
    const before = await rawRow(table, headKey(promptId));
    await publishVersion(table, changeAt(), promptId, { ...content('Two'), bump: 'minor' });
    const warm = inNewContainer(table);
    await readPromptHead(warm, promptId);
    let reads = 0;
    const slow = intercepted(warm, async (_call, next) => {
      reads += 1;
      return reads === 1 ? { Item: before } : next();
    });
    expect((await readPromptHead(slow, promptId))?.rev).toBe(2);
    expect(reads).toBe(2);
  });

  test('is accepted if the head moved on after the second read began', async () => {
    const { promptId } = await newPrompt(table);
    const publish = () => publishVersion(table, changeAt(), promptId, { ...content('Two'), bump: 'minor' });
    const before = await rawRow(table, headKey(promptId));
    await publish();
    const warm = inNewContainer(table);
    await readPromptHead(warm, promptId);
    let reads = 0;
    const slow = intercepted(warm, async (_call, next) => {
      reads += 1;
      if (reads === 1) return { Item: before };
      const found = await next();
      await publish();
      await readPromptHead(warm, promptId);
      return found;
    });
    expect((await readPromptHead(slow, promptId))?.rev).toBe(2);
    expect((await readPromptHead(warm, promptId))?.rev).toBe(3);
  });
});

test('verified rows are cached and not verified again', async () => {
  const { promptId } = await newPrompt(table);
  const first = await readPromptHead(table, promptId);
  const row = await rawRow(table, headKey(promptId));
  expect(await readPromptHead(table, promptId)).toEqual(first);
  // The cache is keyed by the row with its signature: neither can be exchanged.
  await plantRow(table, { ...row, signature: Buffer.from(row.signature as Uint8Array).reverse() });
  await expect(readPromptHead(table, promptId)).rejects.toMatchObject(refused);
});
