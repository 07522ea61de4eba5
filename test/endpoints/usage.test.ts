import { LIMITS } from '../../contract/limits.ts';
import { revokeApiKey } from '../../lambdas/store/api-keys/api-keys.ts';
import { setLabel } from '../../lambdas/store/prompts/labels.ts';
import { createPrompt, deletePrompt } from '../../lambdas/store/prompts/lifecycle.ts';
import { recordAccess } from '../../lambdas/store/usage/accesses.ts';
import { ask, refused } from '../support/admin.ts';
import { LOOPBACK } from '../support/calls.ts';
import { daysAgo, onOneDay } from '../support/days.ts';
import { allPages } from '../support/pages.ts';
import { content, newPrompt } from '../support/rows/prompts.ts';
import { changeAt } from '../support/rows/table.ts';
import { accessOf, countUses } from '../support/rows/usage.ts';
import { aPrompt, fetchPrompt } from '../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../support/shared/instance.ts';
import { uniqueName } from '../support/unique-name.ts';

withSharedInstance();

test('fetches are listed by day, version and key, with key names and events of the period', async () => {
  const { day, web, job, usage } = await onOneDay(async () => {
    const { promptId } = await aPrompt(instance);
    const web = await fetchPrompt(instance, promptId, { times: 3, name: 'web' });
    await setLabel(instance.table, changeAt(), promptId, 'production', '1.0.0');
    const job = await fetchPrompt(instance, promptId, { version: '1.0.0', name: 'job' });
    return { web, job, usage: await ask(instance, 'usage-get', { params: { promptId } }) };
  });
  expect(usage.to).toBe(day);
  expect((Date.parse(usage.to) - Date.parse(usage.from)) / 86_400_000).toBe(29);
  const byKey = (a: { apiKeyId: string }, b: { apiKeyId: string }) => (a.apiKeyId < b.apiKeyId ? -1 : 1);
  expect(usage).toMatchObject({ latest: '1.1.0', labels: [{ label: 'production', version: '1.0.0' }] });
  const lastAt = expect.stringContaining(day);
  expect(usage.counts.sort(byKey)).toEqual(
    [
      { day, version: '1.1.0', apiKeyId: web.keyId, count: 3, lastAt },
      { day, version: '1.0.0', apiKeyId: job.keyId, count: 1, lastAt },
    ].sort(byKey),
  );
  expect(usage.keys).toHaveLength(2);
  expect(usage.keys).toEqual(
    expect.arrayContaining([
      { keyId: web.keyId, name: 'web' },
      { keyId: job.keyId, name: 'job' },
    ]),
  );
  expect(usage.events).toMatchObject([
    { type: 'label-set', label: 'production', from: null, to: '1.0.0', actor: 'operator@example.com' },
    { type: 'published', version: '1.1.0' },
    { type: 'prompt-created', version: '1.0.0' },
  ]);
});

test('fetches before the first day are left out', async () => {
  const { promptId } = await newPrompt(instance.table, { at: daysAgo(10) });
  await countUses(instance.table, { promptId, version: '1.0.0', apiKeyId: 'gone' }, daysAgo(3));
  const params = { promptId };
  const three = await ask(instance, 'usage-get', { params, query: { days: 3 } });
  expect([three.counts, three.events]).toEqual([[], []]);
  const eleven = await ask(instance, 'usage-get', { params, query: { days: 11 } });
  expect(eleven.counts).toMatchObject([{ apiKeyId: 'gone', count: 1 }]);
  expect(eleven.keys).toEqual([{ keyId: 'gone', name: '' }]);
  expect(eleven.events).toMatchObject([{ type: 'prompt-created' }]);
});

test('fetches are listed newest first and can be filtered by key and version', async () => {
  const { promptId } = await aPrompt(instance);
  const params = { promptId };
  const web = await fetchPrompt(instance, promptId, { times: 3, name: 'web' });
  const job = await fetchPrompt(instance, promptId, { version: '1.0.0', times: 2, name: 'job' });
  const { accesses } = await ask(instance, 'accesses-list', { params });
  expect(accesses.map(({ apiKeyName }: { apiKeyName: string }) => apiKeyName)).toEqual([
    ...['job', 'job'],
    ...['web', 'web', 'web'],
  ]);
  expect(accesses[0]).toMatchObject({
    version: '1.0.0',
    apiKeyId: job.keyId,
    compiled: false,
    sourceIp: expect.stringMatching(LOOPBACK),
  });
  const byKey = await ask(instance, 'accesses-list', { params, query: { key: web.keyId } });
  expect(byKey.accesses).toEqual(accesses.slice(2));
  const byVersion = await ask(instance, 'accesses-list', { params, query: { version: '1.0.0' } });
  expect(byVersion.accesses).toEqual(accesses.slice(0, 2));
  const neither = { key: web.keyId, version: '1.0.0' };
  expect(await ask(instance, 'accesses-list', { params, query: neither })).toEqual({ accesses: [] });
});

test('the pages together are the whole list, filtered or not', async () => {
  const { promptId } = await newPrompt(instance.table, { at: daysAgo(3) });
  const start = daysAgo(1).getTime();
  for (let i = 0; i < 30; i++) {
    const at = new Date(start + i * 1_000);
    const apiKeyId = i % 3 === 0 ? 'k' : 'other';
    await recordAccess(instance.table, accessOf({ promptId, at, requestId: `r${i}`, apiKeyId }));
  }
  const found = await allPages(
    (continued) =>
      ask(instance, 'accesses-list', { params: { promptId }, query: { limit: 4, key: 'k', ...continued } }),
    ({ accesses }) => accesses.map(({ requestId }: { requestId: string }) => requestId),
  );
  expect(found).toEqual(['r27', 'r24', 'r21', 'r18', 'r15', 'r12', 'r9', 'r6', 'r3', 'r0']);
});

test('a day that is none and a range that ends before it begins are rejected', async () => {
  const params = { promptId: (await aPrompt(instance)).promptId };
  for (const query of [{ from: '2026-02-31' }, { from: '2026-03-02', to: '2026-03-01' }])
    await refused(instance, 'accesses-list', 'invalid_request', { params, query });
});

const affectedBy = (change: object, content?: object) =>
  ask(instance, 'effects-get', {
    body: { changes: [change], affected: true, ...(content && { content }) },
    groups: ['viewer'],
  });

test('each API key that works is affected with what it asked for: a label, a version, or the latest', async () => {
  const { promptId, name } = await aPrompt(instance);
  await setLabel(instance.table, changeAt(), promptId, 'production', '1.0.0');
  const web = await fetchPrompt(instance, promptId, { label: 'production', times: 3, name: 'web' });
  const job = await fetchPrompt(instance, promptId, { version: '1.1.0', times: 2, name: 'job' });
  const cli = await fetchPrompt(instance, promptId, { name: 'cli' });
  const key = { unsent: [], unused: [], isSendingUnknown: true, prompts: [{ name }] };
  const lastAt = expect.any(String);
  const all = await affectedBy({ promptId });
  expect(all.affected).toEqual([
    { ...key, apiKeyId: web.keyId, apiKeyName: 'web', asks: ['production'], fetches: 3, lastAt },
    { ...key, apiKeyId: job.keyId, apiKeyName: 'job', asks: ['1.1.0'], fetches: 2, lastAt },
    { ...key, apiKeyId: cli.keyId, apiKeyName: 'cli', asks: ['latest'], fetches: 1, lastAt },
  ]);
  expect([all.changes, all.earlier]).toEqual([[{ breaking: [] }], []]);
  await revokeApiKey(instance.table, changeAt(), cli.keyId);
  expect((await affectedBy({ promptId, latest: true })).affected).toEqual([]);
});

test('variable names that callers send are recorded if the service compiles; values never are', async () => {
  const { promptId } = await aPrompt(instance);
  const variables = { user: 'a private value', tone: null, extra: 1 };
  await fetchPrompt(instance, promptId, { shouldCompile: true, variables, times: 2, name: 'web' });
  await fetchPrompt(instance, promptId, { shouldCompile: true, name: 'sends none' });
  await fetchPrompt(instance, promptId, { variables, name: 'compiles itself' });
  const found = await affectedBy({ promptId, latest: true }, { prompt: '{{user}} {{tone}} {{extra}}' });
  expect(found.affected).toMatchObject([
    { apiKeyName: 'web', unsent: ['tone'], isSendingUnknown: false, verdict: 'breaks' },
    {
      apiKeyName: 'sends none',
      unsent: ['user', 'tone', 'extra'],
      isSendingUnknown: false,
      verdict: 'breaks',
    },
    { apiKeyName: 'compiles itself', unsent: [], isSendingUnknown: true, verdict: 'unknown' },
  ]);
  expect(JSON.stringify(found)).not.toContain('private');
});

test('only names that every compiled fetch sent count as sent', async () => {
  const { promptId } = await newPrompt(instance.table);
  const use = { promptId, at: new Date(), asked: 'latest' } as const;
  for (const sent of [{ variables: ['a', 'b'] }, { variables: ['b', 'c'] }, { compiled: false }])
    await recordAccess(instance.table, accessOf({ ...use, ...sent }));
  const lacking = async () =>
    (await affectedBy({ promptId, latest: true }, { prompt: '{{a}} {{b}} {{c}}' })).affected;
  expect(await lacking()).toMatchObject([{ fetches: 3, unsent: ['a', 'c'], isSendingUnknown: true }]);
  await recordAccess(instance.table, accessOf(use));
  expect(await lacking()).toMatchObject([{ fetches: 4, unsent: [] }]);
});

test('an API key that appears only in the counters is included', async () => {
  const { promptId } = await aPrompt(instance);
  const { keyId } = await instance.newKey({ name: 'rare' });
  await countUses(instance.table, { promptId, version: '1.0.0', apiKeyId: keyId }, new Date());
  const { affected, earlier } = await affectedBy({ promptId });
  expect(affected).toEqual([]);
  expect(earlier).toEqual([{ apiKeyId: keyId, apiKeyName: 'rare', fetches: 1 }]);
});

test('of many prompts, each once, fewer fetches are judged, and who else fetched is said', async () => {
  const prompts = await Promise.all(
    Array.from({ length: LIMITS.labelMoves }, () => newPrompt(instance.table, { at: daysAgo(1) })),
  );
  const changes = prompts.map(({ promptId }) => ({ promptId }));
  const promptId = prompts[0]?.promptId ?? '';
  const most = Math.floor(LIMITS.callerEntries / changes.length);
  const now = Date.now();
  for (let ago = 2 * most; ago >= 0; ago--) {
    const apiKeyId = ago === 2 * most ? 'before' : 'lately';
    await recordAccess(instance.table, accessOf({ promptId, at: new Date(now - ago * 10), apiKeyId }));
  }
  const asked = (body: object) =>
    ask(instance, 'effects-get', { body: { changes, affected: true, ...body } });
  const { affected, earlier, since } = await asked({});
  expect(affected).toMatchObject([{ apiKeyId: 'lately' }]);
  expect(earlier).toEqual([{ apiKeyId: 'before', apiKeyName: 'unknown', fetches: 1 }]);
  // Each shard has an equal share of them.
  expect(affected[0].fetches).toBeLessThan(1.5 * most);
  expect(Date.parse(since)).toBeGreaterThan(now - 15 * most);
  const [alone] = changes;
  expect((await asked({ changes: [alone] })).affected).toHaveLength(2);
  const body = { changes: [alone, alone] };
  expect(await refused(instance, 'effects-get', 'invalid_request', { body })).toContain('each prompt once');
});

test('callers of a deleted prompt are not attributed to a new prompt of the same name', async () => {
  const { promptId, name } = await aPrompt(instance);
  await fetchPrompt(instance, promptId);
  await deletePrompt(instance.table, changeAt(), promptId);
  await createPrompt(instance.table, changeAt(), { ...content('again'), name, overDeleted: true });
  const { affected, earlier } = await affectedBy({ promptId });
  expect([affected, earlier]).toEqual([[], []]);
});

test('a move of several labels shows what breaks in each prompt, also through a fragment', async () => {
  const publish = async (name: string, ...contents: object[]) => {
    const [first, next] = contents;
    const { promptId } = (await ask(instance, 'prompts-create', { body: { name, ...first, label: 'live' } }))
      .prompt;
    await ask(instance, 'versions-publish', { params: { promptId }, body: { ...next, bump: 'major' } });
    return { promptId, label: 'live', to: '2.0.0' };
  };
  const fragment = uniqueName('fragment');
  const including = (version: string) => ({
    prompt: `{{> "${fragment}"}}`,
    includes: [`${fragment}@${version}`],
  });
  const changes = [
    await publish(fragment, { prompt: 'Hi' }, { prompt: 'Hi {{user}}' }),
    await publish(`${fragment}-including`, including('1.0.0'), including('2.0.0')),
    await publish(`${fragment}-other`, { prompt: 'Hi' }, { prompt: 'Hello' }),
  ];
  const breaking = [{ kind: 'variable-added', name: 'user' }];
  expect(await ask(instance, 'effects-get', { body: { changes } })).toEqual({
    changes: [breaking, breaking, []].map((each) => ({ before: '1.0.0', breaking: each })),
  });
});

test('of a content to publish, the service says the part of the version, its expansion, or why it is refused', async () => {
  const { promptId, name } = await newPrompt(instance.table, { prompt: 'Be {{tone}}.' });
  const effects = (content: object) =>
    ask(instance, 'effects-get', { body: { changes: [{ promptId, latest: true }], content } });
  const includes = [`${name}@1.0.0`];
  expect(await effects({ prompt: `{{> "${name}"}} Hi {{user}}`, includes })).toEqual({
    changes: [{ before: '1.0.0', breaking: [{ kind: 'variable-added', name: 'user' }] }],
    part: 'major',
    expanded: 'Be {{tone}}. Hi {{user}}',
  });
  expect(await effects({ prompt: 'Be {{tone}}!' })).toMatchObject({ part: 'minor' });
  expect(await effects({ prompt: 'Be {{tone}}.', tags: ['a'] })).toMatchObject({ part: 'patch' });
  const refusedWith = (content: object) =>
    refused(instance, 'effects-get', 'invalid_request', { body: { changes: [], content } });
  const missing = { prompt: `{{> "${name}"}}`, includes: [`${name}@9.0.0`] };
  expect(await refusedWith(missing)).toContain(`${name}@9.0.0`);
  const unused = { prompt: 'Hi', variables: { day: { type: 'string' } } };
  expect(await refusedWith(unused)).toContain('"day"');
  await refused(instance, 'effects-get', 'version_not_found', {
    body: { changes: [{ promptId, label: 'production', to: '9.0.0' }] },
  });
});
