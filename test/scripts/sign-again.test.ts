import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readSigningKeys } from '../../local/aws/signing-key-file.ts';
import { startInstance } from '../../local/instance.ts';
import { callsTo } from '../support/calls.ts';

test('npm run sign-again moves a data folder to a new signing key, and drops the former one', async () => {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'cuevault-test-'));
  const start = () => startInstance({ dataFolder, port: 0, sample: true, onLog: () => undefined });
  try {
    await (await start()).stop();
    const env = { ...process.env, CUEVAULT_DATA: dataFolder };
    const output = execFileSync(process.execPath, ['scripts/sign-again.ts'], { env, encoding: 'utf8' });
    expect(output).toMatch(/^Signed \d+ rows\. The former key is dropped\.\n$/);
    expect(readSigningKeys(dataFolder)).toEqual({ number: 2 });
    const instance = await start();
    const { post } = callsTo(instance);
    expect((await post('/api/prompt/get-compiled', { name: 'greeting' })).status).toBe(200);
    expect((await post('/api/vault/get-secrets', {})).status).toBe(200);
    await instance.stop();
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
