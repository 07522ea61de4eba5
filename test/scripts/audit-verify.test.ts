import { execFile } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { dayOf, monthOf } from '../../lambdas/core/days.ts';
import { auditChange } from '../../lambdas/store/audit.ts';
import { transact } from '../../lambdas/store/transactions.ts';
import { deleteItem } from '../../lambdas/store/updates.ts';
import { createKms, publicKeyOf } from '../../local/aws/kms.ts';
import { keysIn } from '../../local/aws/s3.ts';
import { newFolder } from '../support/new-folder.ts';
import { changeAt, rowsIn } from '../support/rows/table.ts';
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
    execFile(
      process.execPath,
      ['scripts/sealed-log/audit-verify.ts', ...args],
      { env },
      (error, stdout, stderr) => resolve({ status: error === null ? 0 : 1, text: stdout + stderr }),
    );
  });

test('a data folder is verified while it is in use', async () => {
  const { status, text } = await run();
  expect(text).toContain('Verified 1 sealed object with 1 entry');
  expect(text).toContain('Nothing is missing, changed or unsealed.');
  expect(status).toBe(0);
});

test('sealed entries are found by every text that they contain', async () => {
  const found = await run('--search', 'LABEL.set', 'greeting');
  expect(JSON.parse(found.text.split('\n')[0] ?? '')).toMatchObject({
    action: 'label.set',
    name: 'greeting',
  });
  expect(found.text).toContain('Found 1 entry of 1.');
  expect((await run('--search', 'label.set', 'farewell')).text).toBe('Found 0 entries of 1.\n');
});

test('a copy is verified with the public key alone, and its entries are exported', async () => {
  const [copy, keys, exported] = ['copy', 'keys.txt', 'entries.jsonl'].map((name) => path.join(folder, name));
  const publicKey = publicKeyOf(createKms(path.join(instance.dataFolder, 'kms-key.json')));
  cpSync(path.join(instance.dataFolder, 'sealed-log'), copy ?? '', { recursive: true });
  writeFileSync(keys ?? '', `${publicKey}\n`);
  const options = ['--folder', copy ?? '', '--public-key', keys ?? ''];
  expect(await run(...options, '--export', exported ?? '')).toMatchObject({ status: 0 });
  expect(JSON.parse(readFileSync(exported ?? '', 'utf8'))).toMatchObject({ action: 'label.set' });
  const [key = ''] = keysIn(copy ?? '');
  rmSync(path.join(copy ?? '', key));
  writeFileSync(path.join(copy ?? '', key), 'replaced');
  const { status, text } = await run(...options);
  expect(text).toContain(`changed  ${key}: It is not what was sealed`);
  expect(status).toBe(1);
});

test('what is missing from the table is listed, and the command fails', async () => {
  const pk = `AUDIT-CHANGE#${monthOf(AT)}`;
  const [row] = await rowsIn(instance.table, pk);
  await deleteItem(instance.table, { pk, sk: String(row?.sk) });
  const { status, text } = await run('--from', dayOf(AT));
  expect(text).toContain(`missing  ${pk} / ${String(row?.sk)}`);
  expect(status).toBe(1);
});

test.each([
  [['--from', 'yesterday'], 'Give days as YYYY-MM-DD, not "yesterday".'],
  [['--folder', '/nowhere'], '--folder needs --public-key'],
  [['--folder', '/nowhere', '--public-key', '/nowhere'], 'There is no sealed log in /nowhere.'],
])('%j is rejected with what to do', async (args, message) => {
  const { status, text } = await run(...args);
  expect(text).toContain(message);
  expect(status).toBe(1);
});
