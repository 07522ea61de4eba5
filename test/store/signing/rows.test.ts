import { apiKeyKey, findApiKey } from '../../../lambdas/store/api-keys/api-key-row.ts';
import { createApiKey, narrowApiKey, revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { headKey, readPromptHead } from '../../../lambdas/store/prompts/head.ts';
import { deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { deleteVersion, publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { versionKey } from '../../../lambdas/store/prompts/versions.ts';
import type { Key, Table } from '../../../lambdas/store/table.ts';
import { intercepted } from '../../support/aws/intercept.ts';
import { content, failure, newPrompt } from '../../support/rows/prompts.ts';
import { changeAt, table, withTestTable } from '../../support/rows/table.ts';
import { editRow, inNewContainer, plantRow, rawRow } from '../../support/rows/tampering.ts';

withTestTable();

const refused = failure('integrity');

const newKey = async () => {
  const input = { name: 'app', permissions: ['prompts'] as const };
  return (await createApiKey(table, changeAt(), input)).record.keyId;
};
const newHead = async () => (await newPrompt(table)).promptId;

test('a revoked API key keeps neither hash nor signature, and is found without verification', async () => {
  const keyId = await newKey();
  const sign = () => Promise.reject(new Error('signs'));
  await revokeApiKey({ ...table, signing: { ...table.signing, sign } }, changeAt(), keyId);
  const row = await rawRow(table, apiKeyKey(keyId));
  expect(row).not.toHaveProperty('hash');
  expect(row).not.toHaveProperty('signature');
  const found = await findApiKey(inNewContainer(table), keyId);
  expect(found).toMatchObject({ hash: '', revokedBy: expect.any(String) });
});

interface Protected {
  readonly make: () => Promise<string>;
  readonly key: (id: string) => Key;
  readonly change: (on: Table, id: string) => Promise<unknown>;
  readonly find: (on: Table, id: string) => Promise<unknown>;
}

const ofKeys = { make: newKey, key: apiKeyKey, find: findApiKey };

test.each<[string, Protected]>([
  ['narrowed', { ...ofKeys, change: (on, id) => narrowApiKey(on, changeAt(), id, { tags: ['web'] }) }],
  ['revoked', { ...ofKeys, change: (on, id) => revokeApiKey(on, changeAt(), id) }],
  [
    'deleted',
    {
      make: newHead,
      key: headKey,
      find: readPromptHead,
      change: (on, id) => deletePrompt(on, changeAt(), id),
    },
  ],
])('what was %s stays so for a container that has seen it', async (_, { make, key, change, find }) => {
  const id = await make();
  const before = await rawRow(table, key(id));
  const former = await find(inNewContainer(table), id);
  const warm = inNewContainer(table);
  await change(warm, id);
  expect(await find(warm, id)).not.toEqual(former);
  await plantRow(table, before);
  await expect(find(warm, id)).rejects.toMatchObject(refused);
  // There is no anchor outside the table: a container that starts later cannot know.
  expect(await find(inNewContainer(table), id)).toEqual(former);
});

describe('a prompt', () => {
  test('never signs planted data: the latest version after a deletion is verified first', async () => {
    const { promptId } = await newPrompt(table);
    await publishVersion(table, changeAt(), promptId, { ...content('Two'), version: '2.0.0' });
    await editRow(table, versionKey(promptId, '1.0.0'), { prompt: 'planted' });
    await expect(deleteVersion(table, changeAt(), promptId, '2.0.0')).rejects.toMatchObject(refused);
    expect((await readPromptHead(table, promptId))?.latest).toBe('2.0.0');
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
