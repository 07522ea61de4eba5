import type { EnvRemark } from '../../../contract/env-file.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { ask, refused, send } from '../../support/admin.ts';
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
import { readSecrets } from '../../support/scenarios/admin-world.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

withOwnInstance();

const total = async (): Promise<number> => (await ask(instance, 'secrets-list')).total;

test('skipped keys keep their values, and only the others are imported', async () => {
  const kept = freshKey();
  const other = freshKey();
  await ask(instance, 'secrets-import', { body: { text: `${kept}=first` } });
  const body = { text: `${kept}=second\n${other}=second`, skip: [kept] };
  const preview = await ask(instance, 'secrets-import', { body: { ...body, dryRun: true } });
  expect(preview).toMatchObject({
    created: [other],
    updated: [],
    problems: [],
    assignments: [
      { key: kept, isNew: false },
      { key: other, isNew: true },
    ],
  });
  expect(await ask(instance, 'secrets-import', { body })).toMatchObject({ created: [other], updated: [] });
  expect((await instance.post('/api/vault/get-secrets', { key: kept })).json.res[kept]).toBe('first');
});

test('a key in use gets the next value, and keeps its id, its tags and the earlier value', async () => {
  const { secretId, key } = await storeSecret(instance, { tags: ['own'] });
  const other = freshKey();
  const text = `${key}=${secretValue('next')}\n${other}=${secretValue('new')}`;
  const reply = await send(instance, 'secrets-import', {
    body: { text, tags: ['more', 'own'] },
    groups: ['editor'],
  });
  expect(reply.text).not.toContain(SECRET_MARKER);
  expect(reply.json.res).toMatchObject({ stored: true, created: [other], updated: [key] });
  expect(await ask(instance, 'secrets-get', { params: { secretId } })).toMatchObject({
    secret: { key, tags: ['own', 'more'], number: 2, changedBy: 'editor@example.com' },
    values: [{ number: 1 }],
  });
  expect([await released(instance, key), await released(instance, other)]).toEqual([
    secretValue('next'),
    secretValue('new'),
  ]);
  const [change] = await changesBy(instance, ['editor']);
  expect(change).toMatchObject({
    action: 'secret.import',
    details: { created: 1, updated: 1, tags: ['more', 'own'], secrets: [{ number: 2 }, { number: 1 }] },
  });
  expect(JSON.stringify(change)).not.toContain(SECRET_MARKER);
});

const WITH_MISTAKES = [
  `GOOD=${SECRET_MARKER}`,
  `${SECRET_MARKER} oops`,
  `OPEN="${SECRET_MARKER}`,
  `GOOD=${SECRET_MARKER} 2`,
  `HASH=a#${SECRET_MARKER}`,
];

test('a text with mistakes is rejected as a whole; the error names each line and none of its content', async () => {
  const before = await total();
  const sent = { body: { text: WITH_MISTAKES.join('\n') } };
  const sentence = await refused(instance, 'secrets-import', 'invalid_env', sent);
  for (const line of [2, 3, 4, 5]) expect(sentence).toContain(`line ${line} `);
  expect(sentence).not.toContain('line 1 is');
  expect(sentence).not.toContain(SECRET_MARKER);
  expect(await total()).toBe(before);
});

test('an error names a hundred lines, a dry run a thousand, and each counts the others', async () => {
  const text = 'oops\n'.repeat(150);
  const sentence = await refused(instance, 'secrets-import', 'invalid_env', { body: { text } });
  expect(sentence).toMatch(/line 100 [^;]*; and 50 more lines\.$/);
  const long = { text: 'x\n'.repeat(600_000), dryRun: true };
  const { problems } = await ask(instance, 'secrets-import', { body: long });
  expect(problems).toHaveLength(1_001);
  expect(problems[1_000]).toEqual({ line: 1_001, message: expect.stringContaining('598999 lines after it') });
});

test('a dry run says what an import would do with each line, and stores nothing', async () => {
  const { key } = await storeSecret(instance);
  const before = await total();
  const changes = await changesBy(instance, ['editor']);
  const text = [`${key}=${secretValue('next')}`, 'NEW_IN_DRY_RUN="a', 'b"', ...WITH_MISTAKES].join('\n');
  const reply = await send(instance, 'secrets-import', { body: { text, dryRun: true }, groups: ['editor'] });
  expect(reply.text).not.toContain(SECRET_MARKER);
  expect(reply.json.res).toEqual({
    stored: false,
    created: ['NEW_IN_DRY_RUN', 'GOOD'],
    updated: [key],
    assignments: [
      { line: 1, key, isNew: false },
      { line: 2, key: 'NEW_IN_DRY_RUN', isNew: true },
      { line: 4, key: 'GOOD', isNew: true },
    ],
    problems: [5, 6, 7, 8].map((line) => ({ line, message: expect.stringMatching(/\S/) })),
    notes: [],
    widened: [],
  });
  expect([await total(), await released(instance, key)]).toEqual([before, secretValue('first')]);
  expect(await changesBy(instance, ['editor'])).toEqual(changes);
  expect(await ask(instance, 'secrets-import', { body: { text: '# none', dryRun: true } })).toEqual({
    stored: false,
    created: [],
    updated: [],
    assignments: [],
    problems: [],
    notes: [],
    widened: [],
  });
});

test('lines with errors can be left out by their numbers; what was kept as written is named before and after', async () => {
  const hash = freshKey();
  const repeated = freshKey();
  const text = `/*\n${hash}=$2b$10$N9qo\nPASSWORD=#S3cret\n${repeated}=1\n${repeated}=$2\nLONG=${'x'.repeat(65_537)}`;
  const notes = [{ line: 2, message: expect.stringMatching(/^is kept as written/) }];
  const shown = await ask(instance, 'secrets-import', { body: { text, dryRun: true } });
  expect(shown.problems.map((each: EnvRemark) => each.line)).toEqual([1, 3, 5, 6]);
  expect(shown).toMatchObject({ created: [hash, repeated], notes });
  const some = { text, skipLines: [1, 3, 5] };
  expect(await refused(instance, 'secrets-import', 'invalid_env', { body: some })).toMatch(/: line 6 has/);
  const body = { text, skipLines: [1, 3, 5, 6] };
  const preview = await ask(instance, 'secrets-import', { body: { ...body, dryRun: true } });
  expect(preview).toMatchObject({ created: [hash, repeated], problems: [], notes });
  const imported = { stored: true, created: [hash, repeated], notes };
  expect(await ask(instance, 'secrets-import', { body })).toMatchObject(imported);
  expect(await released(instance, hash)).toBe('$2b$10$N9qo');
  expect(await released(instance, repeated)).toBe('1');
});

test('a text without any assignment is rejected', async () => {
  for (const text of ['', '# A=b\n\n'])
    expect(await refused(instance, 'secrets-import', 'invalid_request', { body: { text } })).toContain(
      'nothing to import',
    );
  expectNothingLogged(instance);
});

test('too many tags for an existing secret are rejected with its key, and in a dry run with its line', async () => {
  const tags = Array.from({ length: 50 }, (_, i) => `t${i}`);
  const { key } = await storeSecret(instance, { tags });
  const other = freshKey();
  const body = { text: `${other}=x\n${key}=x`, tags: ['one more'] };
  expect(await refused(instance, 'secrets-import', 'invalid_request', { body })).toContain(
    `"${key}" would have 51`,
  );
  expect(await released(instance, other)).toBeUndefined();
  const { problems } = await ask(instance, 'secrets-import', { body: { ...body, dryRun: true } });
  expect(problems).toEqual([{ line: 2, message: expect.stringContaining('51 tags') }]);
});

describe('the largest texts', () => {
  const value = 'v'.repeat(1_000);
  const many = (from: number, to: number, text: string) =>
    Array.from({ length: to - from }, (_, i) => `MANY_${from + i}=${text}`).join('\n');

  test('1,500 secrets in one text above 1 MB are stored as one', async () => {
    const text = many(0, 1_500, value);
    const reply = await ask(instance, 'secrets-import', { body: { text, tags: ['many'] } });
    expect(reply.created).toHaveLength(1_500);
    const { secrets } = await readSecrets(instance, { tags: ['many'] });
    expect(Object.keys(secrets)).toHaveLength(1_500);
    expect(secrets.MANY_1499).toBe(value);
  });

  test('an import beyond 5,000 secrets is rejected as a whole, in a dry run too', async () => {
    const before = await total();
    const room = LIMITS.vaultSecrets - before;
    const preview = (count: number) => ({ text: many(1_500, 1_500 + count, 'x'), dryRun: true });
    const { created } = await ask(instance, 'secrets-import', { body: preview(room) });
    expect(created).toHaveLength(room);
    const body = preview(room + 1);
    expect(await refused(instance, 'secrets-import', 'vault_full', { body })).toContain('5001 secrets');
    await withFullVault(instance, async () => {
      const dryRun = { text: `${freshKey()}=x`, dryRun: true };
      await refused(instance, 'secrets-import', 'vault_full', { body: dryRun });
      const text = `MANY_0=longer\n${freshKey()}=x`;
      await refused(instance, 'secrets-import', 'vault_full', { body: { text } });
    });
    expect(await total()).toBe(before);
    expect(await released(instance, 'MANY_0')).toBe(value);
  });
});
