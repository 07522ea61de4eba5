import { LIMITS } from '../../contract/limits.ts';
import { recordAccess } from '../../lambdas/store/usage/accesses.ts';
import { ask, column, refused } from '../support/admin.ts';
import { LOOPBACK } from '../support/calls.ts';
import { daysAgo, onOneDay } from '../support/days.ts';
import { allPages } from '../support/pages.ts';
import { newPrompt } from '../support/rows/prompts.ts';
import { accessOf, countUses } from '../support/rows/usage.ts';
import { aPrompt, fetchPrompt } from '../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../support/shared/instance.ts';
import { uniqueName } from '../support/unique-name.ts';

withSharedInstance();

test('fetches are listed by day, version and key, with key names and events of the period', async () => {
  const { day, web, job, usage } = await onOneDay(async () => {
    const { promptId } = await aPrompt();
    const web = await fetchPrompt(promptId, { times: 3, name: 'web' });
    await ask('labels-set', { promptId, label: 'production', version: '1.0.0' });
    const job = await fetchPrompt(promptId, { version: '1.0.0', name: 'job' });
    return { web, job, usage: await ask('usage-get', { promptId }) };
  });
  expect(usage.to).toBe(day);
  expect((Date.parse(usage.to) - Date.parse(usage.from)) / 86_400_000).toBe(29);
  expect(usage).toMatchObject({ latest: '1.1.0', labels: [{ label: 'production', version: '1.0.0' }] });
  const known = { day, lastAt: expect.stringContaining(day) };
  const inOrder = (rows: object[]) =>
    rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  expect(new Set(usage.counts)).toEqual(
    new Set([
      { ...known, version: '1.1.0', apiKeyId: web.keyId, count: 3 },
      { ...known, version: '1.0.0', apiKeyId: job.keyId, count: 1 },
    ]),
  );
  const keys = [web, job].map(({ keyId }, i) => ({ keyId, name: i === 0 ? 'web' : 'job' }));
  expect(inOrder(usage.keys)).toEqual(inOrder(keys));
  expect(usage.events).toMatchObject([
    { type: 'label-set', label: 'production', from: null, to: '1.0.0', actor: 'admin@example.com' },
    { type: 'published', version: '1.1.0' },
    { type: 'prompt-created', version: '1.0.0' },
  ]);
});

test('fetches before the first day are left out', async () => {
  const { promptId } = await newPrompt(instance.table, { at: daysAgo(10) });
  await countUses(instance.table, { promptId, version: '1.0.0', apiKeyId: 'gone' }, daysAgo(3));
  const three = await ask('usage-get', { promptId, days: 3 });
  expect([three.counts, three.events]).toEqual([[], []]);
  expect(await ask('usage-get', { promptId, days: 11 })).toMatchObject({
    counts: [{ apiKeyId: 'gone', count: 1 }],
    keys: [{ keyId: 'gone', name: '' }],
    events: [{ type: 'prompt-created' }],
  });
});

test('fetches are listed newest first and can be filtered by key and version, also page by page', async () => {
  const { promptId } = await aPrompt();
  const web = await fetchPrompt(promptId, { times: 3, name: 'web' });
  const job = await fetchPrompt(promptId, { version: '1.0.0', times: 2, name: 'job' });
  const listed = async (filter: object) => (await ask('accesses-list', { promptId, ...filter })).accesses;
  const accesses = await listed({});
  expect(column(accesses, 'apiKeyName')).toEqual(['job', 'job', 'web', 'web', 'web']);
  const sourceIp = expect.stringMatching(LOOPBACK);
  expect(accesses[0]).toMatchObject({ version: '1.0.0', apiKeyId: job.keyId, compiled: false, sourceIp });
  expect(await listed({ key: web.keyId })).toEqual(accesses.slice(2));
  const paged = (query: object) =>
    allPages(
      (continued) => ask('accesses-list', { promptId, limit: 1, ...query, ...continued }),
      (page) => page.accesses as object[],
    );
  expect(await paged({})).toEqual(accesses);
  expect(await paged({ version: '1.1.0' })).toEqual(accesses.slice(2));
  expect(await listed({ version: '1.0.0' })).toEqual(accesses.slice(0, 2));
  expect(await listed({ key: web.keyId, version: '1.0.0' })).toEqual([]);
});

const affectedBy = (change: object, content?: object) =>
  ask('effects-get', { changes: [change], affected: true, content }, 'viewer');

test('each API key that works is affected with what it asked for: a label, a version, or the latest', async () => {
  const { promptId, name } = await aPrompt();
  await ask('labels-set', { promptId, label: 'production', version: '1.0.0' });
  const web = await fetchPrompt(promptId, { label: 'production', times: 3, name: 'web' });
  const job = await fetchPrompt(promptId, { version: '1.1.0', times: 2, name: 'job' });
  const cli = await fetchPrompt(promptId, { name: 'cli' });
  const known = {
    unsent: [],
    unused: [],
    isSendingUnknown: true,
    prompts: [{ name }],
    lastAt: expect.any(String),
  };
  expect(await affectedBy({ promptId })).toMatchObject({
    affected: [
      { ...known, apiKeyId: web.keyId, apiKeyName: 'web', asks: ['production'], fetches: 3 },
      { ...known, apiKeyId: job.keyId, apiKeyName: 'job', asks: ['1.1.0'], fetches: 2 },
      { ...known, apiKeyId: cli.keyId, apiKeyName: 'cli', asks: ['latest'], fetches: 1 },
    ],
    changes: [{ breaking: [] }],
    earlier: [],
  });
  await ask('keys-revoke', { keyId: cli.keyId });
  expect((await affectedBy({ promptId, latest: true })).affected).toEqual([]);
});

test('variable names that callers send are recorded if the service compiles; values never are', async () => {
  const { promptId } = await aPrompt();
  const variables = { user: 'a private value', tone: null, extra: 1 };
  await fetchPrompt(promptId, { shouldCompile: true, variables, times: 2, name: 'web' });
  await fetchPrompt(promptId, { shouldCompile: true, name: 'sends none' });
  await fetchPrompt(promptId, { variables, name: 'compiles itself' });
  const found = await affectedBy({ promptId, latest: true }, { prompt: '{{user}} {{tone}} {{extra}}' });
  const breaks = { isSendingUnknown: false, verdict: 'breaks' };
  expect(found.affected).toMatchObject([
    { apiKeyName: 'web', unsent: ['tone'], ...breaks },
    { apiKeyName: 'sends none', unsent: ['user', 'tone', 'extra'], ...breaks },
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
  const changes = [await aPrompt(), await aPrompt()].map(({ promptId }) => ({ promptId }));
  const { keyId: apiKeyId } = await instance.newKey({ name: 'rare' });
  for (const each of changes)
    await countUses(instance.table, { ...each, version: '1.0.0', apiKeyId }, new Date());
  const earlier = [{ apiKeyId, apiKeyName: 'rare', fetches: 2 }];
  expect(await ask('effects-get', { changes, affected: true })).toMatchObject({ affected: [], earlier });
});

test('of many prompts, each once, fewer fetches are judged, and who else fetched is said', async () => {
  const changes = await Promise.all(
    Array.from({ length: LIMITS.labelMoves }, async () => {
      const { promptId } = await newPrompt(instance.table, { at: daysAgo(1) });
      return { promptId };
    }),
  );
  const alone = changes.at(-1) ?? { promptId: '' };
  const most = Math.floor(LIMITS.callerEntries / changes.length);
  const now = Date.now();
  for (let ago = 2 * most; ago >= 0; ago--) {
    const apiKeyId = ago === 2 * most ? 'before' : 'lately';
    await recordAccess(instance.table, accessOf({ ...alone, at: new Date(now - ago * 10), apiKeyId }));
  }
  const { affected, earlier, since } = await ask('effects-get', { changes, affected: true });
  expect(affected).toMatchObject([{ apiKeyId: 'lately' }]);
  expect(earlier).toEqual([{ apiKeyId: 'before', apiKeyName: 'unknown', fetches: 1 }]);
  // Each shard has an equal share of them.
  expect(affected[0].fetches).toBeLessThan(1.5 * most);
  expect(Date.parse(since)).toBeGreaterThan(now - 15 * most);
  expect((await affectedBy(alone)).affected).toHaveLength(2);
  const twice = { changes: [alone, alone] };
  expect(await refused('effects-get', 'invalid_request', twice)).toContain('each prompt once');
});

test('a move of several labels shows what breaks in each prompt, also through a fragment', async () => {
  const publish = async (name: string, first: object, next: object) => {
    const { promptId } = (await ask('prompts-create', { name, ...first, label: 'live' })).prompt;
    await ask('versions-publish', { promptId, ...next, bump: 'major' });
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
  expect(await ask('effects-get', { changes })).toEqual({
    changes: [breaking, breaking, []].map((each) => ({ before: '1.0.0', breaking: each })),
  });
});

test('of a content to publish, the service says the part of the version, its expansion, or why it is refused', async () => {
  const { promptId, name } = await newPrompt(instance.table, { prompt: 'Be {{tone}}.' });
  const effects = (content: object) => ask('effects-get', { changes: [{ promptId, latest: true }], content });
  const prompt = `{{> "${name}"}} Hi {{user}}`;
  expect(await effects({ prompt, includes: [`${name}@1.0.0`] })).toEqual({
    changes: [{ before: '1.0.0', breaking: [{ kind: 'variable-added', name: 'user' }] }],
    part: 'major',
    expanded: 'Be {{tone}}. Hi {{user}}',
  });
  expect(await effects({ prompt: 'Be {{tone}}!' })).toMatchObject({ part: 'minor' });
  expect(await effects({ prompt: 'Be {{tone}}.', tags: ['a'] })).toMatchObject({ part: 'patch' });
  for (const [content, sentence] of [
    [{ prompt, includes: [`${name}@9.0.0`] }, `${name}@9.0.0`],
    [{ prompt: 'Hi', variables: { day: { type: 'string' } } }, '"day"'],
  ] as const)
    expect(await refused('effects-get', 'invalid_request', { changes: [], content })).toContain(sentence);
  const changes = [{ promptId, label: 'production', to: '9.0.0' }];
  await refused('effects-get', 'version_not_found', { changes });
});
