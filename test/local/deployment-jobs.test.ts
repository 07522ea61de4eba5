import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSecret } from '../../lambdas/store/secrets/secrets.ts';
import { transact } from '../../lambdas/store/table.ts';
import { readPage, writePage } from '../../lambdas/store/vault/pages.ts';
import { addKeyPair, listKeyPairs, removeKeyPair } from '../../lambdas/store/vault-keys/key-pairs.ts';
import { awsFailure } from '../../local/aws/reply.ts';
import { type Instance, type InstanceOptions, startInstance } from '../../local/instance.ts';
import { changeAt } from '../support/table.ts';
import { day, headOf } from '../support/vault.ts';

const logs: string[] = [];
let dataFolder: string;
beforeEach(() => {
  dataFolder = mkdtempSync(path.join(tmpdir(), 'cuevault-jobs-'));
  logs.length = 0;
});
afterEach(() => rmSync(dataFolder, { recursive: true, force: true }));

const start = (hooks: InstanceOptions['hooks'] = {}): Promise<Instance> =>
  startInstance({ dataFolder, port: 0, sample: false, onLog: (line) => logs.push(line), hooks });

const damage = async ({ table }: Instance, key: string): Promise<void> => {
  for (const ref of (await headOf(table)).pages) {
    const page = await readPage(table, ref);
    const entries = page.entries.map((entry) =>
      entry.key === key ? { ...entry, box: entry.box.map((byte) => byte ^ 1) } : entry,
    );
    await writePage(table, ref.id, { ...page, entries });
  }
};

const makeKeyPairOld = async ({ table }: Instance): Promise<void> => {
  const [pair] = await listKeyPairs(table);
  if (pair === undefined) throw new Error('no key pair');
  await transact(table, [removeKeyPair(pair.keyVersion)]);
  await transact(table, [addKeyPair({ ...pair, createdAt: day(-365).toISOString() })]);
};

test('a stored value that does not open is told of, and keeps no start and no other secret back', async () => {
  const first = await start();
  await createSecret(first.table, changeAt(), { key: 'DAMAGED', value: 'x' });
  await createSecret(first.table, changeAt(), { key: 'WHOLE', value: 'still here' });
  await damage(first, 'DAMAGED');
  await makeKeyPairOld(first);
  await first.stop();
  const again = await start();
  const { url, apiKey } = again.firstRun;
  const response = await fetch(`${url}/api/vault/get-secrets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    body: '{"key": "WHOLE"}',
  });
  const { res } = (await response.json()) as { res: unknown };
  await again.stop();
  expect(res).toEqual({ WHOLE: 'still here' });
  expect(logs.join('')).toContain('The job vault-rotate failed');
});

test('a start whose vault cannot be made is refused', async () => {
  const intercept = ({ target }: { target: string }) =>
    target.startsWith('TrentService.') ? awsFailure('KMSInternalException', 'Injected.') : undefined;
  await expect(start({ intercept })).rejects.toThrow(/^The vault could not be created/);
});
