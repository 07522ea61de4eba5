import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { revokeApiKey } from '../../lambdas/store/api-keys/api-keys.ts';
import { setLabel } from '../../lambdas/store/prompts/labels.ts';
import { deletePrompt, restorePrompt } from '../../lambdas/store/prompts/lifecycle.ts';
import { deleteVersion } from '../../lambdas/store/prompts/publishing.ts';
import { deleteSecret } from '../../lambdas/store/secrets/removals.ts';
import { KEY_ARNS } from '../../local/aws/account.ts';
import { createKms, publicKeyOf } from '../../local/aws/kms.ts';
import { makeBackup } from '../../scripts/backup/make.ts';
import { commandsOf, restoreBackup } from '../support/backup.ts';
import { changeAt } from '../support/rows/table.ts';
import { aPrompt, aSecret } from '../support/scenarios/admin-world.ts';
import { type OwnInstance, ownInstance } from '../support/shared/instance.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'cuevault-revoke-again-'));
const copy = path.join(folder, 'sealed-log');
const keys = path.join(folder, 'keys.txt');

// Entries are sealed only once nothing older can still be written.
const SINCE = new Date(Date.now() - 2 * 3_600_000).toISOString();
const later = () => changeAt(new Date(Date.now() - 3_600_000));

const fill = async (source: OwnInstance) => {
  const [deleted, restored, shortened, labelled] = [
    await aPrompt(source),
    await aPrompt(source),
    await aPrompt(source),
    await aPrompt(source),
  ];
  const [gone, kept] = [await aSecret(source), await aSecret(source)];
  const [revoked, valid] = [await source.newKey({ name: 'revoked' }), await source.newKey({ name: 'valid' })];
  return { deleted, restored, shortened, labelled, gone, kept, revoked, valid };
};

let source: OwnInstance;
let target: OwnInstance;
let made: Awaited<ReturnType<typeof fill>>;
beforeAll(async () => {
  source = await ownInstance();
  const { table } = source;
  made = await fill(source);
  const file = path.join(folder, 'backup.jsonl');
  await makeBackup(commandsOf(source), { file });
  await revokeApiKey(table, later(), made.revoked.keyId);
  await deletePrompt(table, later(), made.deleted.promptId);
  await deletePrompt(table, later(), made.restored.promptId);
  await restorePrompt(table, later(), made.restored.promptId);
  await deleteVersion(table, later(), made.shortened.promptId, '1.0.0');
  await deleteVersion(table, later(), made.labelled.promptId, '1.0.0');
  await deleteSecret(table, later(), made.gone.secretId);
  const sealed = await source.invoke('audit-seal', {});
  if ('failure' in sealed) throw new Error(sealed.failure);
  cpSync(path.join(source.dataFolder, 'sealed-log'), copy, { recursive: true });
  const kms = createKms(path.join(source.dataFolder, 'kms-key.json'), {
    vault: KEY_ARNS.VaultKey,
    signing: KEY_ARNS.SigningKey,
  });
  writeFileSync(keys, publicKeyOf(kms, KEY_ARNS.SigningKey));
  target = await ownInstance({ keysOf: source.dataFolder });
  await restoreBackup(commandsOf(target), { file });
});
afterAll(async () => {
  await source.stop();
  await target.stop();
  rmSync(folder, { recursive: true });
});

const run = (...options: string[]): Promise<string> =>
  new Promise((resolve) => {
    const args = ['scripts/backup/revoke-again.ts', '--folder', copy, '--public-key', keys, ...options];
    const env = { ...process.env, CUEVAULT_DATA: target.dataFolder };
    execFile(process.execPath, args, { env }, (_, stdout, stderr) => resolve(stdout + stderr));
  });

const status = async (route: string, body: object, apiKey: string) =>
  (await target.post(route, body, apiKey)).status;
const readPrompt = (promptId: string, version = '1.1.0') =>
  status('/api/prompt/get-compiled', { promptId, version }, made.valid.apiKey);
const readSecret = (key: string, apiKey = made.valid.apiKey) =>
  status('/api/vault/get-secrets', { key }, apiKey);

test('revocations and deletions that a restore undid are listed, and nothing changes', async () => {
  const listed = await run('--since', SINCE);
  expect(listed).toContain('Revocations and deletions since then: 5. Undone: 5.');
  for (const id of [made.revoked.keyId, made.gone.secretId, made.deleted.promptId])
    expect(listed).toContain(id);
  expect(listed).not.toContain(made.restored.promptId);
  expect(await readSecret(made.gone.key, made.revoked.apiKey)).toBe(200);
});

test('only what happened after the time counts', async () => {
  expect(await run('--since', new Date().toISOString())).toContain(
    'Revocations and deletions since then: 0.',
  );
});

test('it is revoked and deleted again, everything else stays, and what cannot be repeated is reported', async () => {
  await setLabel(target.table, changeAt(), made.labelled.promptId, 'production', '1.0.0');
  const done = await run('--since', SINCE, '--revoke', '--delete');
  expect(done.match(/done again/g)).toHaveLength(4);
  expect(done).toMatch(/not done: version\.delete .* Version 1\.0\.0 has the label "production"/);
  expect(await readSecret(made.gone.key, made.revoked.apiKey)).toBe(401);
  expect(await readSecret(made.gone.key)).toBe(404);
  expect(await readSecret(made.kept.key)).toBe(200);
  expect(await readPrompt(made.deleted.promptId)).toBe(404);
  expect(await readPrompt(made.restored.promptId)).toBe(200);
  expect([
    await readPrompt(made.shortened.promptId, '1.0.0'),
    await readPrompt(made.shortened.promptId),
  ]).toEqual([404, 200]);
});

test('repeating it finds only what could not be done', async () => {
  expect(await run('--since', SINCE)).toContain('Undone: 1.');
});

test('an invalid or missing time is rejected', async () => {
  expect(await run('--since', 'yesterday')).toContain('Give --since as a time in UTC, not "yesterday".');
  expect(await run()).toMatch(
    /^--since is missing: .* such as --since 2026-\S+\n\nUsage: npm run revoke-again/,
  );
});
