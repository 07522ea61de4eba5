import { LIMITS } from '../../../contract/limits.ts';
import { deleteSecret } from '../../../lambdas/store/secrets/removals.ts';
import { ask, column, refused, send } from '../../support/admin.ts';
import { daysAgo } from '../../support/days.ts';
import { changesBy } from '../../support/rows/audit.ts';
import {
  expectNothingLogged,
  freshKey,
  released,
  SECRET_MARKER,
  secretValue,
  storeSecret,
  withFullVault,
} from '../../support/rows/secrets.ts';
import { changeAt } from '../../support/rows/table.ts';
import { readSecrets } from '../../support/scenarios/admin-world.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

withOwnInstance();

describe('lists', () => {
  let jobId: string;
  beforeAll(async () => {
    await storeSecret({ key: 'database_url', tags: ['db', 'prod'], at: daysAgo(40) });
    await storeSecret({ key: 'API_TOKEN', tags: ['prod'], at: daysAgo(50) });
    await storeSecret({ key: 'Mail_Password', tags: [], at: daysAgo(10) });
    const old = await storeSecret({ key: 'OLD', tags: ['legacy'], at: daysAgo(60) });
    await ask('secrets-update', { secretId: old.secretId, rotateBy: '2030-06-15' });
    await readSecrets({ tags: ['prod'] }, 'web');
    ({ keyId: jobId } = await readSecrets({ key: 'API_TOKEN' }, 'job'));
  });

  const keys = async (query: object) => column((await ask('secrets-list', query)).secrets, 'key');

  test('each secret has its tags, changes and last release; the reply also lists all tags', async () => {
    const reply = await send('secrets-list', {}, 'viewer');
    expect(reply.text).not.toContain(SECRET_MARKER);
    const { total, tags, secrets } = reply.json.res;
    expect([total, tags]).toEqual([4, ['db', 'legacy', 'prod']]);
    const [token, url, mail] = secrets;
    const at = expect.any(String);
    const by = 'operator@example.com';
    expect(token).toEqual({
      environment: 'default',
      forgottenIn: [],
      secretId: expect.any(String),
      key: 'API_TOKEN',
      tags: ['prod'],
      number: 1,
      createdAt: at,
      createdBy: by,
      changedAt: at,
      changedBy: by,
      lastRead: { at, apiKeyId: jobId, apiKeyName: 'job' },
      readers: 2,
    });
    expect(url.lastRead).toMatchObject({ apiKeyName: 'web' });
    expect(mail.lastRead).toBeNull();
  });

  test.each<[object, string[]]>([
    [{}, ['API_TOKEN', 'database_url', 'Mail_Password', 'OLD']],
    [{ order: 'desc' }, ['OLD', 'Mail_Password', 'database_url', 'API_TOKEN']],
    [{ sort: 'changed' }, ['OLD', 'API_TOKEN', 'database_url', 'Mail_Password']],
    [{ sort: 'read', order: 'desc' }, ['API_TOKEN', 'database_url', 'OLD', 'Mail_Password']],
    [{ q: 'DATABASE' }, ['database_url']],
    [{ q: 'word' }, ['Mail_Password']],
    [{ q: 'gac' }, ['OLD']],
    [{ q: SECRET_MARKER }, []],
    [{ tag: 'prod' }, ['API_TOKEN', 'database_url']],
    [{ tag: 'pro' }, []],
    [{ read: true }, ['API_TOKEN', 'database_url']],
    [{ read: false }, ['OLD']],
    [{ tag: 'prod', q: 'url', read: true }, ['database_url']],
    [{ tag: 'prod', read: false }, []],
    [{ rotateBy: '2030-06-15' }, ['OLD']],
    [{ rotateBy: '2030-06-14' }, []],
  ])('%j filters and sorts', async (query, expected) => {
    expect(await keys(query)).toEqual(expected);
  });

  test('a search of too many bytes and a cursor of another list are rejected, naming the parameter', async () => {
    for (const [operation, name, wrong] of [
      ['secrets-list', 'cursor', 'junk'],
      ['secrets-list-deleted', 'cursor', 'junk'],
      ['secrets-list', 'tag', 'x'.repeat(129)],
      ['secrets-list', 'q', 'x'.repeat(257)],
    ] as const)
      expect(await refused(operation, 'invalid_request', { [name]: wrong })).toContain(`"${name}"`);
  });

  const deleted = async (key: string, days: number): Promise<string> => {
    const { secretId } = await storeSecret({ key, tags: ['t'] });
    await deleteSecret(instance.table, changeAt(daysAgo(days)), secretId);
    return secretId;
  };

  test('deleted secrets are listed newest first, with who deleted them and until when they can be restored', async () => {
    expect(await ask('secrets-list-deleted')).toEqual({ secrets: [] });
    const ids: string[] = [];
    for (const [key, days] of [
      ['WEEK', 6.9],
      ['TWICE', 4],
      ['TWICE', 3],
      ['NEW', 1],
    ] as const)
      ids.unshift(await deleted(key, days));
    await deleted('TOO_LONG', 7.1);
    await ask('secrets-restore', { secretId: await deleted('RESTORED', 2) });
    const { text, json } = await send('secrets-list-deleted', {}, 'viewer');
    expect(text).not.toContain(SECRET_MARKER);
    const { secrets } = json.res;
    expect(column(secrets, 'secretId')).toEqual(ids);
    const [newest, , earlier] = secrets;
    const restorableUntil = new Date(Date.parse(newest.deletedAt) + 7 * 86_400_000).toISOString();
    const entry = { key: 'NEW', tags: ['t'], number: 1, deletedBy: 'operator@example.com', restorableUntil };
    expect(newest).toMatchObject(entry);
    expect((await ask('secrets-list-deleted', { secretId: ids[2] })).secrets).toEqual([earlier]);
    const { cursor } = await ask('secrets-list-deleted', { limit: 2 });
    expect(await ask('secrets-list-deleted', { limit: 2, cursor })).toEqual({ secrets: secrets.slice(2) });
    expectNothingLogged();
  });
});

const total = async (): Promise<number> => (await ask('secrets-list')).total;
const imported = (text: string, more: object = {}) => ask('secrets-import', { text, ...more });
const dryRun = true;

test('skipped keys keep their values, and only the others are imported', async () => {
  const kept = freshKey();
  const other = freshKey();
  await imported(`${kept}=first`);
  const [text, skip] = [`${kept}=second\n${other}=second`, [kept]];
  const outcome = { created: [other], updated: [], problems: [] };
  expect(await imported(text, { skip, dryRun })).toMatchObject({
    ...outcome,
    assignments: [
      { key: kept, isNew: false },
      { key: other, isNew: true },
    ],
  });
  expect(await imported(text, { skip })).toMatchObject(outcome);
  expect(await released(kept)).toBe('first');
});

test('a key in use gets the next value, and keeps its id, its tags and the earlier value; the audit log finds the import by each of its secrets', async () => {
  const { secretId, key } = await storeSecret({ tags: ['own'] });
  const other = freshKey();
  const tags = ['more', 'own'];
  const text = `${key}=${secretValue('next')}\n${other}=${secretValue('new')}`;
  const reply = await send('secrets-import', { text, tags }, 'editor');
  expect(reply.text).not.toContain(SECRET_MARKER);
  expect(reply.json.res).toMatchObject({ stored: true, created: [other], updated: [key] });
  expect(await ask('secrets-get', { secretId })).toMatchObject({
    secret: { key, tags: ['own', 'more'], number: 2, changedBy: 'editor@example.com' },
    values: [{ number: 1 }],
  });
  expect(await released(key)).toBe(secretValue('next'));
  expect(await released(other)).toBe(secretValue('new'));
  const [change] = await changesBy(['editor']);
  const secrets = [
    { secretId, key, number: 2 },
    { secretId: expect.any(String), key: other, number: 1 },
  ];
  const details = { created: 1, updated: 1, tags, secrets };
  expect(change).toMatchObject({ action: 'secret.import', details });
  for (const subject of [secretId, column(change?.details.secrets as [], 'secretId')[1], key.toLowerCase()]) {
    const { entries } = await ask('audit-list', { subject, action: 'secret.import' });
    expect(entries).toEqual([change]);
  }
  expect(JSON.stringify(change)).not.toContain(SECRET_MARKER);
});

const WITH_MISTAKES = [
  `GOOD=${SECRET_MARKER}`,
  `${SECRET_MARKER} oops`,
  `OPEN="${SECRET_MARKER}`,
  `GOOD=${SECRET_MARKER} 2`,
  `HASH=a#${SECRET_MARKER}`,
].join('\n');

test('a text with mistakes is rejected as a whole; the error names each line and none of its content', async () => {
  const before = await total();
  const sentence = await refused('secrets-import', 'invalid_env', { text: WITH_MISTAKES });
  for (const line of [2, 3, 4, 5]) expect(sentence).toContain(`line ${line} `);
  expect(sentence).not.toContain('line 1 is');
  expect(sentence).not.toContain(SECRET_MARKER);
  expect(await total()).toBe(before);
});

test('an error names a hundred lines, a dry run a thousand, and each counts the others', async () => {
  const sentence = await refused('secrets-import', 'invalid_env', { text: 'oops\n'.repeat(150) });
  expect(sentence).toMatch(/line 100 [^;]*; and 50 more lines\.$/);
  const { problems } = await imported('x\n'.repeat(5_000), { dryRun });
  expect(problems).toHaveLength(1_001);
  expect(problems[1_000]).toEqual({ line: 1_001, message: expect.stringContaining('3999 lines after it') });
});

test('a dry run says what an import would do with each line, and stores nothing', async () => {
  const { key } = await storeSecret();
  const before = await total();
  const changes = await changesBy(['editor']);
  const text = `${key}=${secretValue('next')}\nNEW_IN_DRY_RUN="a\nb"\n${WITH_MISTAKES}`;
  const reply = await send('secrets-import', { text, dryRun }, 'editor');
  expect(reply.text).not.toContain(SECRET_MARKER);
  const nothing = {
    stored: false,
    created: [],
    updated: [],
    assignments: [],
    problems: [],
    notes: [],
    widened: [],
  };
  expect(reply.json.res).toEqual({
    ...nothing,
    created: ['NEW_IN_DRY_RUN', 'GOOD'],
    updated: [key],
    assignments: [
      { line: 1, key, isNew: false },
      { line: 2, key: 'NEW_IN_DRY_RUN', isNew: true },
      { line: 4, key: 'GOOD', isNew: true },
    ],
    problems: [5, 6, 7, 8].map((line) => ({ line, message: expect.stringMatching(/\S/) })),
  });
  expect([await total(), await released(key)]).toEqual([before, secretValue('first')]);
  expect(await changesBy(['editor'])).toEqual(changes);
  expect(await imported('# none', { dryRun })).toEqual(nothing);
});

test('lines with errors can be left out by their numbers; what was kept as written is named before and after', async () => {
  const hash = freshKey();
  const repeated = freshKey();
  const text = `/*\n${hash}=$2b$10$N9qo\nPASSWORD=#S3cret\n${repeated}=1\n${repeated}=$2\nLONG=${'x'.repeat(65_537)}`;
  const outcome = {
    created: [hash, repeated],
    notes: [{ line: 2, message: expect.stringMatching(/^is kept as written/) }],
  };
  const shown = await imported(text, { dryRun });
  expect(column(shown.problems, 'line')).toEqual([1, 3, 5, 6]);
  expect(shown).toMatchObject(outcome);
  const some = { text, skipLines: [1, 3, 5] };
  expect(await refused('secrets-import', 'invalid_env', some)).toMatch(/: line 6 has/);
  const skipLines = [1, 3, 5, 6];
  expect(await imported(text, { skipLines, dryRun })).toMatchObject({ ...outcome, problems: [] });
  expect(await imported(text, { skipLines })).toMatchObject({ ...outcome, stored: true });
  expect([await released(hash), await released(repeated)]).toEqual(['$2b$10$N9qo', '1']);
});

test('a text without any assignment is rejected', async () => {
  for (const text of ['', '# A=b\n\n'])
    expect(await refused('secrets-import', 'invalid_request', { text })).toContain('nothing to import');
  expectNothingLogged();
});

test('too many tags for an existing secret are rejected with its key, and in a dry run with its line', async () => {
  const { key } = await storeSecret({ tags: Array.from({ length: 50 }, (_, i) => `t${i}`) });
  const other = freshKey();
  const body = { text: `${other}=x\n${key}=x`, tags: ['one more'] };
  expect(await refused('secrets-import', 'invalid_request', body)).toContain(`"${key}" would have 51`);
  expect(await released(other)).toBeUndefined();
  const { problems } = await ask('secrets-import', { ...body, dryRun });
  expect(problems).toEqual([{ line: 2, message: expect.stringContaining('51 tags') }]);
});

test('1,500 secrets in one text above 1 MB are stored as one, and one beyond 5,000 is rejected, in a dry run too', async () => {
  const value = 'v'.repeat(1_000);
  const many = (from: number, count: number, text: string) =>
    Array.from({ length: count }, (_, i) => `MANY_${from + i}=${text}`).join('\n');
  expect((await imported(many(0, 1_500, value), { tags: ['many'] })).created).toHaveLength(1_500);
  const { secrets } = await readSecrets({ tags: ['many'] });
  expect(Object.values(secrets)).toEqual(Array(1_500).fill(value));
  const before = await total();
  const room = LIMITS.vaultSecrets - before;
  expect((await imported(many(1_500, room, 'x'), { dryRun })).created).toHaveLength(room);
  const refusal = (text: string, more: object = {}) =>
    refused('secrets-import', 'vault_full', { text, ...more });
  expect(await refusal(many(1_500, room + 1, 'x'), { dryRun })).toContain('5001 secrets');
  await withFullVault(async () => {
    await refusal(`${freshKey()}=x`, { dryRun });
    await refusal(`MANY_0=longer\n${freshKey()}=x`);
    await imported(`MANY_1=${'w'.repeat(1_000)}`);
  });
  expect([await total(), await released('MANY_0')]).toEqual([before, value]);
});
