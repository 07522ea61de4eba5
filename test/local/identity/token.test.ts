import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { decodeJwt } from 'jose';
import { operatorsIn } from '../../../local/identity/operators.ts';
import { openIdentityStore } from '../../../local/identity/store.ts';
import { runHere } from '../../support/processes/process.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

withOwnInstance();

const run = (dataFolder = instance.dataFolder, ...args: string[]) =>
  runHere('local/token.ts', args, { CUEVAULT_DATA: dataFolder });

const ONE_LINE = /^[^\n]+$/;

test('prints only the access token of the first operator', async () => {
  const done = await run();
  expect(done).toEqual({ status: 0, out: expect.stringMatching(ONE_LINE), err: '' });
  const { out } = done;
  expect(decodeJwt(out)).toMatchObject({
    iss: `${instance.url}/oidc`,
    token_use: 'access',
  });
  const headers = { authorization: `Bearer ${out}` };
  expect((await fetch(`${instance.url}/api/admin/metrics`, { headers })).status).toBe(200);
});

test('prints the token of the operator of the given group', async () => {
  for (const role of ['admin', 'editor', 'viewer']) {
    const { out } = await run(instance.dataFolder, role);
    expect(decodeJwt(out)).toMatchObject({ email: `${role}@example.com` });
  }
  for (const args of [['owner'], ['admin', 'viewer']]) {
    const err = expect.stringMatching(/admin, editor or viewer/);
    expect(await run(instance.dataFolder, ...args)).toEqual({ status: 1, out: '', err });
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
    const failed = await run();
    expect(failed).toEqual({ status: 1, out: '', err: expect.stringMatching(ONE_LINE) });
    expect(failed.err).toContain(words);
  }
  writeFileSync(file, noted);
  expect(await run('/nowhere')).toEqual({ status: 1, out: '', err: expect.stringMatching(ONE_LINE) });
});
