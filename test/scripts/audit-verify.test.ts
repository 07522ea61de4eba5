import { execFile } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { auditChange } from '../../lambdas/store/audit.ts';
import { transact } from '../../lambdas/store/transactions.ts';
import { createKms, publicKeyOf } from '../../local/aws/kms.ts';
import { keysIn } from '../../local/aws/s3.ts';
import { newFolder } from '../support/new-folder.ts';
import { changeAt } from '../support/rows/table.ts';
import { instance, withOwnInstance } from '../support/shared/instance.ts';

/** Old enough to be sealed. */
const AT = new Date(Date.now() - 3_600_000);

const folder = newFolder();
// A copy of a data folder can have entries that are due.
withOwnInstance({ isFirstStart: true });
beforeAll(async () => {
  const entry = { action: 'label.set', subject: 'prm_1', name: 'greeting' };
  await transact(instance.table, [auditChange(instance.table, changeAt(AT), entry)]);
  const outcome = await instance.invoke('audit-seal', {});
  if ('failure' in outcome) throw new Error(outcome.failure);
});

interface Ran {
  readonly status: number;
  readonly text: string;
}

const run = (...args: string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const env = { ...process.env, CUEVAULT_DATA: instance.dataFolder };
    execFile(process.execPath, ['scripts/audit-verify.ts', ...args], { env }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : 1, text: stdout + stderr }),
    );
  });

test('a data folder is verified while it is in use', async () => {
  const { status, text } = await run();
  expect(text).toContain('Verified 1 object with 1 entry');
  expect(text).toContain('No object is missing, changed, replaced or hidden.');
  expect(status).toBe(0);
});

test('a copy is verified with the public key alone', async () => {
  const copy = path.join(folder, 'copy');
  const keys = path.join(folder, 'keys.txt');
  const publicKey = publicKeyOf(createKms(path.join(instance.dataFolder, 'kms-key.json')));
  cpSync(path.join(instance.dataFolder, 'sealed-log'), copy, { recursive: true });
  writeFileSync(keys, `${publicKey}\n`);
  const options = ['--folder', copy, '--public-key', keys];
  expect(await run(...options)).toMatchObject({ status: 0 });
  const [key = ''] = keysIn(copy);
  rmSync(path.join(copy, key));
  writeFileSync(path.join(copy, key), 'replaced');
  const { status, text } = await run(...options);
  expect(text).toContain(`${key}: It is not what was sealed`);
  expect(status).toBe(1);
});

test.each([
  [['--folder', '/nowhere'], '--folder needs --public-key'],
  [['--folder', '/nowhere', '--public-key', '/nowhere'], 'There is no sealed log in /nowhere.'],
  [['--public-key', 'package.json'], 'package.json does not contain what'],
])('%j is rejected with what to do', async (args, message) => {
  const { status, text } = await run(...args);
  expect(text).toContain(message);
  expect(status).toBe(1);
});
