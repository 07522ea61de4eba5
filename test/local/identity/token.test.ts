import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { decodeJwt } from 'jose';
import { operatorsIn } from '../../../local/identity/operators.ts';
import { openIdentityStore } from '../../../local/identity/store.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

withOwnInstance();

const run = async (dataFolder = instance.dataFolder, args: readonly string[] = []) => {
  const child = spawn(process.execPath, ['local/token.ts', ...args], {
    env: { ...process.env, CUEVAULT_DATA: dataFolder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    once(child, 'close'),
  ]);
  return { code: child.exitCode, out: out.join(''), err: err.join('') };
};

const ONE_LINE = /^[^\n]+\n$/;

test('prints only the access token of the first operator', async () => {
  const { code, out, err } = await run();
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(ONE_LINE);
  expect(decodeJwt(out.trim())).toMatchObject({
    iss: `${instance.url}/oidc`,
    token_use: 'access',
  });
  const headers = { authorization: `Bearer ${out.trim()}` };
  expect((await fetch(`${instance.url}/api/admin/metrics`, { headers })).status).toBe(200);
});

test('prints the token of the operator of the given group', async () => {
  for (const role of ['admin', 'editor', 'viewer']) {
    const { out } = await run(instance.dataFolder, [role]);
    expect(decodeJwt(out.trim())).toMatchObject({ email: `${role}@example.com` });
  }
  for (const args of [['owner'], ['admin', 'viewer']]) {
    expect(await run(instance.dataFolder, args)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/admin, editor or viewer/),
    });
  }
});

test('reports in one line that nothing runs, the folder is missing, or the operator is disabled', async () => {
  const file = path.join(instance.dataFolder, 'first-run.json');
  const noted = readFileSync(file, 'utf8');
  const database = openIdentityStore(instance.dataFolder);
  const { account, setEnabled } = operatorsIn(database);
  setEnabled(account('admin@example.com')?.id ?? '', false);
  database.close();
  const cases = [
    [JSON.stringify({ url: 'http://localhost:9' }), 'npm start'],
    [noted, 'admin@example.com is disabled'],
  ];
  for (const [content = '', words] of cases) {
    writeFileSync(file, content);
    expect(await run()).toEqual({ code: 1, out: '', err: expect.stringMatching(ONE_LINE) });
    expect((await run()).err).toContain(words);
  }
  writeFileSync(file, noted);
  expect((await run('/nowhere')).err).toMatch(ONE_LINE);
});
