import { chmodSync, cpSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PARTITIONS } from '../../contract/table.ts';
import { FORMATS } from '../../lambdas/store/format.ts';
import { commandsOf, restoreBackup } from '../support/backup.ts';
import { openInstance, type TestInstance } from '../support/instance.ts';
import { newFolder } from '../support/new-folder.ts';
import { editRow } from '../support/rows/tampering.ts';
import type { Frozen } from './freeze.ts';

const FIXTURES = fileURLToPath(new URL('fixtures', import.meta.url));

const expectFrozen = async (instance: TestInstance, { keys, prompts, secrets }: Frozen): Promise<void> => {
  for (const [name, prompt] of Object.entries(prompts)) {
    const { json } = await instance.post('/api/prompt/get-compiled', { name }, keys.active);
    expect(json.res).toMatchObject({ name, prompt });
  }
  expect((await instance.post('/api/vault/get-secrets', {}, keys.active)).json.res).toEqual(secrets);
  expect((await instance.post('/api/prompt/get-compiled', { name: 'kept' }, keys.revoked)).status).toBe(401);
};

// Git does not keep that only the owner may read it.
const keepKey = (dataFolder: string): void => chmodSync(path.join(dataFolder, 'kms-key.json'), 0o600);

describe.each(readdirSync(FIXTURES))('what version %s wrote', (version) => {
  const fixture = path.join(FIXTURES, version);
  const frozen = JSON.parse(readFileSync(path.join(fixture, 'frozen.json'), 'utf8')) as Frozen;
  let dataFolder: string;
  beforeEach(() => {
    dataFolder = newFolder();
  });

  test('a data folder opens, opens again after this version has written to it, and is refused after a later one has', async () => {
    cpSync(path.join(fixture, 'data'), dataFolder, { recursive: true });
    keepKey(dataFolder);
    for (const newest of [FORMATS.newest, FORMATS.newest + 1]) {
      const instance = await openInstance({ dataFolder });
      try {
        await expectFrozen(instance, frozen);
        await editRow(instance.table, { pk: PARTITIONS.format, sk: 'FORMAT' }, { newest });
      } finally {
        await instance.stop();
      }
    }
    await expect(openInstance({ dataFolder })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(
        /^The table has rows of format \d+; .*\. Use the release that wrote them/,
      ),
    });
  });

  test('a backup is restored into an empty table with the same KMS keys', async () => {
    cpSync(path.join(fixture, 'data', 'kms-key.json'), path.join(dataFolder, 'kms-key.json'));
    keepKey(dataFolder);
    const instance = await openInstance({ dataFolder });
    try {
      await restoreBackup(commandsOf(instance), { file: path.join(fixture, 'backup.jsonl') });
      await expectFrozen(instance, frozen);
    } finally {
      await instance.stop();
    }
  });
});
