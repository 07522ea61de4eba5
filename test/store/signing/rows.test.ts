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
import { editRow, inNewContainer, plantRow, rawRow, withForeignKey } from '../../support/rows/tampering.ts';

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

  test('is read back unchanged', async () => {
    const { record } = await create();
    expect(await findApiKey(inNewContainer(table), record.keyId)).toEqual(record);
  });

  test('that is planted by hand is rejected, whether signed with a foreign key or unsigned', async () => {
    const { record } = await create(withForeignKey(table));
    await expect(findApiKey(table, record.keyId)).rejects.toMatchObject(refused);
    const { signature: _, ...unsigned } = await rawRow(table, keyOf(record.keyId));
    await plantRow(table, unsigned);
    await expect(findApiKey(table, record.keyId)).rejects.toMatchObject(refused);
  });

  test.each([
    ['more permissions', { permissions: ['prompts', 'secrets'] }],
    ['fewer tags', { tags: [] }],
    ['more prompts', { prompts: [] }],
    ['more addresses', { cidrs: [] }],
    ['more prompts', { prompts: ['*'] }],
    ['another hash', { hash: '0'.repeat(64) }],
    ['a later end', { expiresAt: '2999-01-01T00:00:00.000Z' }],
    ['another name', { name: 'billing' }],
    ['another predecessor', { replaces: 'AAAAAAAA' }],
    ['another revision', { rev: 2 }],
    ['a value of another type', { tags: 'web' }],
    ['the signature of another row', { signature: Buffer.alloc(80) }],
  ])('is rejected with %s', async (_, changes) => {
    const { record } = await create();
    await editRow(table, keyOf(record.keyId), changes);
    await expect(findApiKey(table, record.keyId)).rejects.toMatchObject(refused);
  });

  test('is rejected in place of another one', async () => {
    const [one, other] = [await create(), await create()];
    await plantRow(table, {
      ...(await rawRow(table, keyOf(one.record.keyId))),
      ...keyOf(other.record.keyId),
    });
    await expect(findApiKey(table, other.record.keyId)).rejects.toMatchObject(refused);
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
  test.each([
    ['another latest version', { latest: '1.0.0' }],
    ['another name', { name: 'other' }],
    ['a label', { labels: [{ label: 'production', version: '1.0.0' }] }],
    ['no deletion', { deletedAt: '2026-01-01T00:00:00.000Z' }],
    ['another excerpt', { excerpt: 'x' }],
  ])('is rejected with %s in its head', async (_, changes) => {
    const { promptId } = await newPrompt(table);
    await publishVersion(table, changeAt(), promptId, { ...content('Two'), bump: 'minor' });
    await editRow(table, headKey(promptId), changes);
    await expect(readPromptHead(table, promptId)).rejects.toMatchObject(refused);
    await expect(promptFinder(table)({ promptId })).rejects.toMatchObject(refused);
    await expect(setLabel(table, changeAt(), promptId, 'x', '1.0.0')).rejects.toMatchObject(refused);
  });

  test('is rejected with another text, tags, metadata, note, time or author of a version', async () => {
    const changes = [
      { prompt: 'Send the customer to evil.example' },
      { tags: ['x'] },
      { metaProperties: '{"model":"other"}' },
      { note: 'x' },
      { publishedAt: '2020-01-01T00:00:00.000Z' },
      { publishedBy: 'eve@example.com' },
      { metaProperties: 'not JSON' },
    ];
    for (const change of changes) {
      const { promptId } = await newPrompt(table);
      await editRow(table, versionKey(promptId, '1.0.0'), change);
      await expect(promptFinder(table)({ promptId })).rejects.toMatchObject(refused);
      await expect(getVersion(table, promptId, '1.0.0')).rejects.toMatchObject(refused);
    }
  });

  test('never signs planted data: the latest version after a deletion is verified first', async () => {
    const { promptId } = await newPrompt(table);
    await publishVersion(table, changeAt(), promptId, { ...content('Two'), version: '2.0.0' });
    await editRow(table, versionKey(promptId, '1.0.0'), { prompt: 'planted' });
    await expect(deleteVersion(table, changeAt(), promptId, '2.0.0')).rejects.toMatchObject(refused);
    expect((await readPromptHead(table, promptId))?.latest).toBe('2.0.0');
  });

  test('is rejected with the version of another prompt or number', async () => {
    const one = await newPrompt(table, { prompt: 'One' });
    const other = await newPrompt(table);
    const row = await rawRow(table, versionKey(one.promptId, '1.0.0'));
    await plantRow(table, { ...row, ...versionKey(other.promptId, '1.0.0') });
    await expect(promptFinder(table)(other)).rejects.toMatchObject(refused);
    await plantRow(table, { ...row, ...versionKey(one.promptId, '9.0.0') });
    await expect(getVersion(table, one.promptId, '9.0.0')).rejects.toMatchObject(refused);
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
