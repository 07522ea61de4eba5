import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eventSchema } from '../../contract/events.ts';
import type { BackupRecord, Restored } from '../../contract/shapes/backup.ts';
import { PARTITIONS } from '../../contract/table.ts';
import { digestOf, lineOf, packLines, pageMessage, textOf } from '../../lambdas/core/backup/backup-pages.ts';
import { eventOf } from '../../lambdas/core/events.ts';
import { promptIdOf } from '../../lambdas/core/identifiers.ts';
import { apiKeyKey, findApiKey } from '../../lambdas/store/api-keys/api-key-row.ts';
import { revokeApiKey } from '../../lambdas/store/api-keys/api-keys.ts';
import { RESTRICTIONS_KEY, readRestrictions } from '../../lambdas/store/api-keys/restrictions.ts';
import { restorePage } from '../../lambdas/store/backup/restore.ts';
import { saveDraft } from '../../lambdas/store/prompts/drafts.ts';
import { saveExamples } from '../../lambdas/store/prompts/examples.ts';
import { headKey, readPromptHead } from '../../lambdas/store/prompts/head.ts';
import { setLabel } from '../../lambdas/store/prompts/labels.ts';
import { createPrompt, deletePrompt } from '../../lambdas/store/prompts/lifecycle.ts';
import { protectLabel } from '../../lambdas/store/prompts/protection.ts';
import { deleteVersion } from '../../lambdas/store/prompts/publishing.ts';
import { readVersion } from '../../lambdas/store/prompts/versions.ts';
import { createSecret, updateSecret } from '../../lambdas/store/secrets/secrets.ts';
import { deleteItem } from '../../lambdas/store/updates.ts';
import { vaultIn } from '../../lambdas/store/vault/vault.ts';
import { pagesOf } from '../../scripts/backup/file.ts';
import { readBackup } from '../../scripts/backup/load.ts';
import { identityOf, makeBackup } from '../../scripts/backup/make.ts';
import { useInstance } from '../support/admin.ts';
import { commandsOf, restoreBackup } from '../support/backup.ts';
import { newFolder } from '../support/new-folder.ts';
import { runHere } from '../support/processes/process.ts';
import { putEnvironments } from '../support/rows/environments.ts';
import { content } from '../support/rows/prompts.ts';
import { allItems, changeAt } from '../support/rows/table.ts';
import { editRow } from '../support/rows/tampering.ts';
import { aPrompt, aSecret, readSecrets } from '../support/scenarios/admin-world.ts';
import { type OwnInstance, ownInstance, type SharedInstance } from '../support/shared/instance.ts';
import { uniqueName } from '../support/unique-name.ts';

const folder = newFolder();
const fileOf = (name: string): string => path.join(folder, name);

const recordsIn = async (file: string): Promise<BackupRecord[]> =>
  (await Array.fromAsync(pagesOf(file))).flatMap(({ records }) => [...records]);

const sorted = (records: readonly BackupRecord[]): string[] =>
  records.map((record) => JSON.stringify(record)).sort();

const LABEL = 'production';

const CHAT = {
  ...content(JSON.stringify([{ role: 'user', content: '{{a}}' }])),
  type: 'chat' as const,
  variables: { a: { type: 'integer' as const, default: 0 } },
  config: { __proto__x: [1e300, null] },
};

/** Prompts, secrets and API keys in every state. */
const fill = async (instance: SharedInstance) => {
  const { table } = instance;
  const prompt = await aPrompt();
  await setLabel(table, changeAt(), prompt.promptId, LABEL, '1.0.0');
  await saveDraft(table, changeAt(), prompt.promptId, content('unfinished'));
  await saveExamples(table, changeAt(), prompt.promptId, { user: 'Ada' });
  const chat = await createPrompt(table, changeAt(), { ...CHAT, name: uniqueName('chat') });
  await saveDraft(table, changeAt(), chat.promptId, CHAT);
  const shortened = await aPrompt();
  await deleteVersion(table, changeAt(), shortened.promptId, '1.1.0');
  const deleted = await aPrompt();
  await deletePrompt(table, changeAt(), deleted.promptId);
  const secret = await aSecret(['database']);
  await updateSecret(table, changeAt(), secret.secretId, { value: 'second value' });
  await aSecret();
  await putEnvironments();
  await instance.settled();
  await createSecret(vaultIn(table, 'staging'), changeAt(), { key: secret.key, value: 'staging value' });
  await protectLabel(table, changeAt(), LABEL);
  const key = await instance.newKey({ name: 'web', environments: ['*'] });
  await instance.newKey({ name: 'job', tags: ['database'] });
  const revoked = await instance.newKey({ name: 'old' });
  await revokeApiKey(table, changeAt(), revoked.keyId);
  return { prompt, deleted, secret, key, revoked };
};

let source: OwnInstance;
let filled: Awaited<ReturnType<typeof fill>>;
const file = fileOf('backup.jsonl');
/** Backs up the source to this file. */
const backUp = (to: string, more: object = {}) => makeBackup(commandsOf(source), { file: to, ...more });

beforeAll(async () => {
  source = useInstance(await ownInstance());
  filled = await fill(source);
  await backUp(file);
});
afterAll(() => source.stop());

const values = async (instance: SharedInstance, apiKey: string) => [
  (await instance.post('/api/vault/get-secrets', {}, apiKey)).json.res,
  (await instance.post('/api/vault/get-secrets', { environment: 'staging' }, apiKey)).json.res,
];

describe('a backup', () => {
  test('contains no value and no API key in clear', () => {
    const text = readFileSync(file, 'utf8');
    expect(text).not.toMatch(/first value|second value|staging value/);
    expect(text).not.toContain(filled.key.apiKey);
  });

  test('does not replace a complete backup or another file', async () => {
    await expect(backUp(file)).rejects.toThrow('is a complete backup');
    const other = fileOf('notes.txt');
    for (const text of ['notes', '{"type":"FeatureCollection"}']) {
      writeFileSync(other, text);
      await expect(backUp(other)).rejects.toThrow(/is not a backup|ends within its first page/);
      expect(readFileSync(other, 'utf8')).toBe(text);
    }
  });

  test('leaves no file if its first page fails, and refuses an empty file and a wrong path', async () => {
    const empty = fileOf('empty.jsonl');
    const commands = commandsOf(source);
    const failing: typeof commands = {
      ...commands,
      invoke: async (id, input) => {
        if (JSON.stringify(input).includes('"show":"page"')) throw new Error('The export failed.');
        return commands.invoke(id, input);
      },
    };
    await expect(makeBackup(failing, { file: empty })).rejects.toThrow('The export failed.');
    expect(existsSync(empty)).toBe(false);
    writeFileSync(empty, '');
    await expect(backUp(empty)).rejects.toThrow('ends within its first page. Delete it');
    await expect(backUp(folder)).rejects.toThrow('is a folder. Name a file.');
    await expect(backUp(fileOf('no/a.jsonl'))).rejects.toThrow(
      `There is no folder ${fileOf('no')}. Check the path.`,
    );
  });
});

test('a backup that the disk cuts short fails, and is complete once there is room', async () => {
  const cut = fileOf('cut.jsonl');
  // The system writes up to this size, then refuses: like a full disk, which writes what still fits.
  const kilobytes = Math.floor(statSync(file).size / 1024) - 1;
  const limited = `ulimit -f ${kilobytes}; exec "$0" scripts/backup/backup.ts "$1" --local`;
  const CUEVAULT_DATA = source.dataFolder;
  const failed = spawnSync('bash', ['-c', limited, process.execPath, cut], {
    env: { ...process.env, CUEVAULT_DATA },
    encoding: 'utf8',
  });
  expect(failed).toMatchObject({ status: 1, stdout: '' });
  expect(failed.stderr).toMatch(/^.*cut\.jsonl cannot be used: EFBIG: .*\n$/);
  const again = await runHere('scripts/backup/backup.ts', [cut, '--local'], { CUEVAULT_DATA });
  expect(again).toMatchObject({ status: 0, err: '' });
  expect((await readBackup(cut)).tally.text()).toBe((await readBackup(file)).tally.text());
});

describe('the same KMS key and an empty table', () => {
  let target: OwnInstance;
  let report: Restored;
  beforeAll(async () => {
    target = await ownInstance({ keysOf: source.dataFolder });
    report = await restoreBackup(commandsOf(target), { file });
  });
  afterAll(() => target.stop());

  test('the numbers of what was restored add up to those of the backup', async () => {
    const { tally } = await readBackup(file);
    expect(tally.text()).toMatch(/^\d+ API keys, \d+ prompts, \d+ secrets, 1 list of protected labels$/);
    const total = [...tally.text().matchAll(/\d+/g)].reduce((sum, [count]) => sum + Number(count), 0);
    expect(report).toEqual({ written: total, unchanged: 0, kept: [] });
  });

  test('restoring brings back every prompt, API key and secret exactly as it was', async () => {
    const again = fileOf('again.jsonl');
    await makeBackup(commandsOf(target), { file: again });
    const own = target.firstRun.apiKey.split('_')[1];
    const restored = (await recordsIn(again)).filter(
      (record) => record.type !== 'api-key' || record.row.keyId !== own,
    );
    expect(sorted(restored)).toEqual(sorted(await recordsIn(file)));
    // Editors must not widen what a restored key sees.
    expect((await readRestrictions(target.table)).keys).toEqual((await readRestrictions(source.table)).keys);
  });

  test('applications read the same with their API keys, and revoked ones stay revoked', async () => {
    expect(await values(target, filled.key.apiKey)).toEqual(await values(source, filled.key.apiKey));
    expect((await target.post('/api/vault/get-secrets', {}, filled.revoked.apiKey)).status).toBe(401);
  });

  test('every step is in the audit log, and is an event that matches its schema', async () => {
    const rows = [...(await allItems(source.table)), ...(await allItems(target.table))];
    const entries = rows.filter(({ pk }) => String(pk).startsWith(PARTITIONS.auditChange));
    const events = entries.flatMap((entry) => eventOf(entry, 'local') ?? []);
    for (const event of events) expect(eventSchema(event.type).parse(event)).toEqual(event);
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        'backup.create',
        'vault.import-keys',
        'api-key.import',
        'prompt.import',
        'secret.import',
      ]),
    );
  });

  test('what changed after the backup is kept', async () => {
    await revokeApiKey(target.table, changeAt(), filled.key.keyId);
    const { written, kept } = await restoreBackup(commandsOf(target), { file });
    expect({ written, kept }).toEqual({
      written: 0,
      kept: [{ kind: 'API key', id: filled.key.keyId, name: 'web' }],
    });
  });

  test('a restore with --revoke-api-keys restores API keys as revoked, and leaves existing ones alone', async () => {
    const keys = (await recordsIn(file)).flatMap((record) =>
      record.type === 'api-key' ? apiKeyKey(String(record.row.keyId)) : [],
    );
    for (const key of [...keys, RESTRICTIONS_KEY]) await deleteItem(target.table, key);
    const options = { file, apiKeys: 'revoke' } as const;
    expect(await restoreBackup(commandsOf(target), options)).toMatchObject({
      written: keys.length,
      kept: [],
    });
    expect(await findApiKey(target.table, filled.key.keyId)).toMatchObject({
      revokedBy: 'admin@example.com',
      hash: '',
    });
    expect((await target.post('/api/vault/get-secrets', {}, filled.key.apiKey)).status).toBe(401);
    expect((await target.post('/api/vault/get-secrets', {})).status).toBe(200);
    expect((await readRestrictions(target.table)).keys).toEqual([]);
    expect(await restoreBackup(commandsOf(target), options)).toMatchObject({ written: 0, kept: [] });
  });
});

describe('another installation', () => {
  let target: OwnInstance;
  beforeAll(async () => {
    target = useInstance(await ownInstance({ isFirstStart: true }));
  });
  afterAll(() => {
    useInstance(source);
    return target.stop();
  });

  test('gets the values reencrypted, and only trusts the named source', async () => {
    const reencrypted = fileOf('reencrypted.jsonl');
    const { vaults } = await identityOf(commandsOf(target));
    const lacking = fileOf('lacking.jsonl');
    await expect(backUp(lacking, { recipients: vaults })).rejects.toThrow(
      'has no environment "staging". Add it there',
    );
    await putEnvironments();
    await target.settled();
    const { vaults: recipients } = await identityOf(commandsOf(target));
    await backUp(reencrypted, { recipients });
    await expect(restoreBackup(commandsOf(target), { file: reencrypted })).rejects.toThrow(
      'was not signed by this installation',
    );
    const { signingKeys: trusted } = await identityOf(commandsOf(source));
    await restoreBackup(commandsOf(target), { file: reencrypted, trusted });
    const { secrets } = await readSecrets({ key: filled.secret.key });
    expect(secrets).toEqual({ [filled.secret.key]: 'second value' });
    const { apiKey } = await target.newKey({ environments: ['staging'] });
    const { json } = await target.post('/api/vault/get-secrets', { environment: 'staging' }, apiKey);
    expect(json.res).toEqual({ [filled.secret.key]: 'staging value' });
  });

  test('refuses values that are encrypted to another vault', async () => {
    const { signingKeys: trusted } = await identityOf(commandsOf(source));
    await expect(restoreBackup(commandsOf(target), { file, trusted })).rejects.toThrow('--recipient');
  });
});

describe('a file that is not as it was written', () => {
  const restore = (changed: string) => restoreBackup(commandsOf(source), { file: changed });

  const WITHIN_FIRST = /is incomplete: it ends within its first page\. Delete it and make the backup again\./;
  const NO_BACKUP = /changed\.jsonl is not a backup of Cuevault\. Make one with "npm run backup -- FILE"/;
  const OTHERS = ['notes', '{}\n', '{"type":"FeatureCollection"}\n', '\u0000\u00ff'];

  test.each<[string, (text: string) => string, string | RegExp]>([
    ['ends after a page', (text) => text.slice(0, -200), 'is incomplete: it ends after page'],
    ...[0, 5, 50, 300].map((length): [string, (text: string) => string, RegExp] => [
      `ends after ${length} bytes`,
      (text) => text.slice(0, length),
      WITHIN_FIRST,
    ]),
    ...OTHERS.map((other): [string, () => string, RegExp] => [`is ${other}`, () => other, NO_BACKUP]),
    [
      'has another record',
      (text) => text.replace('"name":"web"', '"name":"wxb"'),
      /line \d+: The checksum of this record does not match/,
    ],
    ['lacks a line', (text) => text.slice(text.indexOf('\n') + 1), 'or a page is missing'],
  ])('is refused if it %s', async (_, change, sentence) => {
    const changed = fileOf('changed.jsonl');
    writeFileSync(changed, change(readFileSync(file, 'utf8')));
    await expect(restore(changed)).rejects.toThrow(sentence);
  });

  test('is refused by npm run restore with one sentence, and leaves nothing behind', async () => {
    const dataFolder = fileOf('absent');
    const keys = fileOf('keys.json');
    writeFileSync(keys, JSON.stringify(await identityOf(commandsOf(source))));
    for (const [args, sentence] of [
      // After the pages of API keys and prompts.
      [[file, '--from', keys], /^The backup of \S+ contains API keys: choose one of --keep-api-keys \(.*\.$/],
      [[file, '--from', keys, '--keep-api-keys'], /^The KMS key here does not open .* prints here\.$/],
      [[fileOf('nowhere.jsonl')], /^There is no file .*nowhere\.jsonl\. Check the path\.$/],
      [[folder], /^.* is a folder\. Name a file\.$/],
    ] as const) {
      const run = runHere('scripts/backup/restore.ts', [...args, '--local'], { CUEVAULT_DATA: dataFolder });
      expect(await run).toEqual({ status: 1, out: '', err: expect.stringMatching(sentence) });
      expect(existsSync(dataFolder)).toBe(false);
    }
  });

  test('is refused if someone changed it together with its checksums', async () => {
    const [first] = await Array.fromAsync(pagesOf(file));
    const text = textOf(
      first?.records.map((record) =>
        lineOf('row' in record ? { ...record, row: { ...record.row, name: 'forged' } } : record),
      ) ?? [],
    );
    const page = { ...first?.page, digest: digestOf('', text), next: undefined };
    const forged = fileOf('forged.jsonl');
    writeFileSync(forged, `${text}${JSON.stringify(page)}\n`);
    await expect(restore(forged)).rejects.toThrow('was not signed by this installation');
  });
});

describe('a signed page whose records name other rows', () => {
  const restore = async (...records: readonly object[]) => {
    const [{ page } = {}] = await Array.fromAsync(pagesOf(file));
    if (page === undefined) throw new Error('There is no page.');
    const text = textOf(records.map((record) => lineOf(record as BackupRecord)));
    const { signature: _, next: __, ...unsigned } = page;
    const made = { ...unsigned, previous: '', digest: digestOf('', text), records: records.length };
    const signature = Buffer.from(await source.table.signing.sign(pageMessage(made))).toString('base64');
    const lines = packLines(text);
    return restorePage(
      source.table,
      changeAt(),
      { page: { ...made, signature }, lines },
      { apiKeys: 'keep' },
    );
  };
  const versionOf = async (name: string) =>
    (await recordsIn(file)).flatMap((record) =>
      record.type === 'version' && record.row.promptId === promptIdOf(name) ? [record.row] : [],
    )[0];

  test('never replaces a published version, adds none to a prompt that lacks none, and writes at the keys that it names', async () => {
    const { promptId, name } = filled.prompt;
    const version = { ...(await versionOf(name)), version: '1.0.0', prompt: 'planted' };
    const before = await readVersion(source.table, promptId, '1.0.0');
    const absent = promptIdOf('absent');
    const keys = { pk: 'APIKEY#x', sk: 'KEY' };
    await restore({ type: 'version', row: { ...version, ...keys } });
    await restore({ type: 'version', row: { ...version, version: '1.0.5' } });
    expect(await readVersion(source.table, promptId, '1.0.0')).toEqual(before);
    expect(await readVersion(source.table, promptId, '1.0.5')).toBeUndefined();
    await restore({ type: 'version', row: { ...version, ...keys, promptId: absent } });
    expect(await readVersion(source.table, absent, '1.0.0')).toMatchObject({ prompt: 'planted' });
    // The version of an incomplete restore stays, too.
    const again = { type: 'version', row: { ...version, promptId: absent, prompt: 'another' } };
    expect((await restore(again)).kept).toEqual([
      { kind: 'row of a prompt', id: absent, name: 'version 1.0.0' },
    ]);
    expect(await readVersion(source.table, absent, '1.0.0')).toMatchObject({ prompt: 'planted' });
  });

  test('restores no row of an unknown kind, no unknown record, and no head under a foreign id', async () => {
    const promptId = promptIdOf('unknown');
    const head = (await recordsIn(file)).find(({ type }) => type === 'prompt');
    const row = { pk: 'APIKEY#x', sk: 'KEY' };
    const { kept, written } = await restore(
      { type: 'prompt-row', promptId, item: row },
      { type: 'prompt-row', promptId, item: { ...row, sk: 'HEAD' } },
      { type: 'prompt-row', promptId, item: { ...row, sk: 'VERSION#x', version: '1.0' } },
      { type: 'version', row: { promptId, version: '1.0' } },
      { type: 'operator', row: { operatorId: '1', group: 'admin' } },
      { type: 'usage', item: row },
      { type: 'prompt', row: { ...(head !== undefined && 'row' in head && head.row), promptId } },
    );
    expect(written).toBe(0);
    expect(kept.map(({ kind }) => kind).sort()).toEqual([
      'prompt',
      ...Array(4).fill('row of a prompt'),
      'unknown record',
      'unknown record',
    ]);
    expect(await readPromptHead(source.table, promptId)).toBeUndefined();
  });
});

test('a file with one endless line is refused at once', async () => {
  const endless = fileOf('endless.jsonl');
  writeFileSync(endless, `{"type":"api-key","name":"${'x'.repeat(32 * 1024 * 1024)}`);
  await expect(readBackup(endless)).rejects.toThrow('line 1: No line of a backup is this long.');
});

test('a row that does not verify is listed, and missing from the backup', async () => {
  const { promptId } = await aPrompt();
  const key = headKey(promptId);
  await editRow(source.table, key, { excerpt: 'planted' });
  const tampered = fileOf('tampered.jsonl');
  const { refused } = await backUp(tampered);
  expect(refused).toEqual([`${key.pk} / ${key.sk}`]);
  const ids = (await recordsIn(tampered)).flatMap((record) =>
    'row' in record ? [record.row.promptId] : 'promptId' in record ? [record.promptId] : [],
  );
  expect(ids).not.toContain(promptId);
  expect(ids).toContain(filled.prompt.promptId);
});
