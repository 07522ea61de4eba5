import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readSigningKeys } from '../../local/aws/signing-key-file.ts';
import { startInstance } from '../../local/instance.ts';
import { identityOf, makeBackup } from '../../scripts/backup/make.ts';
import { commandsOf, restoreBackup } from '../support/backup.ts';
import { callsTo } from '../support/calls.ts';

test('npm run sign-again moves a data folder to a new signing key, and drops the former one, unless the folder is in use; earlier backups need its name', async () => {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'cuevault-test-'));
  const start = () => startInstance({ dataFolder, port: 0, sample: true, onLog: () => undefined });
  try {
    const file = path.join(dataFolder, 'earlier.jsonl');
    const earlier = await start();
    const { signingKeys: trusted } = await identityOf(commandsOf(earlier));
    await makeBackup(commandsOf(earlier), { file });
    const env = { ...process.env, CUEVAULT_DATA: dataFolder };
    const script = 'scripts/sign-again/sign-again.ts';
    for (const each of [script, 'scripts/recount/recount.ts']) {
      const { status, stderr } = spawnSync(process.execPath, [each], { env, encoding: 'utf8' });
      expect([status, stderr]).toEqual([1, expect.stringMatching(/^The data folder .* is in use by .*\n$/)]);
    }
    await earlier.stop();
    const output = execFileSync(process.execPath, [script], { env, encoding: 'utf8' });
    expect(output).toMatch(/^Signed \d+ rows?\. The former key is dropped\.\n$/);
    expect(readSigningKeys(dataFolder)).toEqual({ number: 2 });
    const instance = await start();
    const { post } = callsTo(instance);
    expect((await post('/api/prompt/get-compiled', { name: 'greeting' })).status).toBe(200);
    expect((await post('/api/vault/get-secrets', {})).status).toBe(200);
    const commands = commandsOf(instance);
    await expect(restoreBackup(commands, { file })).rejects.toThrow('was not signed by this installation');
    expect(await restoreBackup(commands, { file, trusted })).toMatchObject({ written: 0, kept: [] });
    await instance.stop();
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
