import { revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { ask } from '../../support/admin.ts';
import { changeAt } from '../../support/rows/table.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

withSharedInstance();

const readersWith = async (tags: readonly string[]): Promise<string[]> => {
  const { readers } = await ask(instance, 'secrets-preview-readers', { body: { tags }, groups: ['editor'] });
  return readers.map(({ apiKeyId }: { apiKeyId: string }) => apiKeyId);
};

test('lists the active keys that could read a secret with these tags, and no others', async () => {
  const [one, two] = [uniqueName('tag'), uniqueName('tag')];
  const anything = await instance.newKey({ permissions: ['secrets'] });
  const limited = await instance.newKey({ tags: [one] });
  const both = await instance.newKey({ tags: [one, two] });
  const prompts = await instance.newKey({ tags: [one], permissions: ['prompts'] });
  const revoked = await instance.newKey({ tags: [one] });
  await revokeApiKey(instance.table, changeAt(), revoked.keyId);
  const ids = [anything, limited, both, prompts, revoked].map(({ keyId }) => keyId);
  const among = async (tags: string[]) => (await readersWith(tags)).filter((id) => ids.includes(id)).sort();
  expect(await among([])).toEqual([anything.keyId]);
  expect(await among([one])).toEqual([anything.keyId, limited.keyId].sort());
  expect(await among([two, one])).toEqual([anything.keyId, limited.keyId, both.keyId].sort());
});
