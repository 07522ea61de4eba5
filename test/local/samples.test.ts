import { rmSync } from 'node:fs';
import path from 'node:path';
import { promptIdOf } from '../../lambdas/core/identifiers.ts';
import { deletePrompt, getPrompt } from '../../lambdas/store/prompts/lifecycle.ts';
import { inEveryVault, listSecrets } from '../../lambdas/store/secrets/secret-lists.ts';
import { createSecret, updateSecret } from '../../lambdas/store/secrets/secrets.ts';
import { setEnvironments } from '../../lambdas/store/vault/set-environments.ts';
import { vaultIn } from '../../lambdas/store/vault/vault.ts';
import { openInstance, type TestInstance } from '../support/instance.ts';
import { newFolder } from '../support/new-folder.ts';
import { changesOf } from '../support/rows/audit.ts';
import { changeAt } from '../support/rows/table.ts';

const GREETING = promptIdOf('greeting');
const SUPPORT = promptIdOf('support-reply');

const dataFolder = newFolder();
let instance: TestInstance;

const start = async (): Promise<void> => {
  instance = await openInstance({ dataFolder, sample: true });
};

/** Starts again without the record of the first start. */
const startWithoutNotes = async (): Promise<void> => {
  await instance.stop();
  rmSync(path.join(dataFolder, 'first-run.json'));
  await start();
};

const released = async (): Promise<unknown> => (await instance.post('/api/vault/get-secrets', {})).json.res;

beforeAll(start);

afterAll(() => instance.stop());

test('the audit log has the changes that made a sample in their order', async () => {
  const changes = await changesOf(GREETING, instance);
  expect(changes.map(({ action }) => action)).toEqual(['label.set', 'version.publish', 'prompt.create']);
  expect(new Set(changes.map(({ at }) => at)).size).toBe(3);
});

test('a start without the record of the first one keeps existing secrets, prompts and environments; a sample whose name was used before gets a version above the earlier ones', async () => {
  const { table } = instance;
  const [secret] = (await listSecrets(table)).filter(({ key }) => key === 'OPENAI_API_KEY');
  await updateSecret(table, changeAt(), secret?.secretId ?? '', { value: 'a real one' });
  await setEnvironments(table, changeAt(), { environments: ['default', 'staging'] });
  await instance.invoke('vault-rotate', {});
  const own = { key: 'OPENAI_API_KEY', value: 'another' };
  const staging = [await createSecret(vaultIn(table, 'staging'), changeAt(), own)];
  await deletePrompt(table, changeAt(), GREETING);
  const before = [await released(), await getPrompt(table, SUPPORT)];
  await startWithoutNotes();
  expect([await released(), await getPrompt(instance.table, SUPPORT)]).toEqual(before);
  expect(before[0]).toMatchObject({ OPENAI_API_KEY: 'a real one' });
  expect(await inEveryVault(instance.table, async (vault) => [vault.environment])).toEqual([
    'default',
    'staging',
  ]);
  expect(await listSecrets(vaultIn(instance.table, 'staging'))).toEqual(staging);
  const { head } = await getPrompt(instance.table, GREETING);
  expect(head).toMatchObject({ latest: '2.1.0', labels: [{ label: 'production', version: '2.0.0' }] });
});
