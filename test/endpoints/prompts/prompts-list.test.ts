import { INDEX_PARTITIONS } from '../../../contract/table.ts';
import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { deleteDraft, saveDraft } from '../../../lambdas/store/prompts/drafts.ts';
import { deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { listPromptRows } from '../../../lambdas/store/views/prompt-rows.ts';
import { searchTexts } from '../../../lambdas/store/views/text-search.ts';
import { ask, column, refused } from '../../support/admin.ts';
import { intercepted, serverError } from '../../support/aws/intercept.ts';
import { daysAgo } from '../../support/days.ts';
import { allPages } from '../../support/pages.ts';
import { content, newPrompt } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { aPrompt, fetchPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

withOwnInstance();

const list = (query: object = {}) => ask('prompts-list', query);
const make = (name: string, prompt = 'x', tags: string[] = [], days = 0) =>
  newPrompt(instance.table, { at: daysAgo(days), prompt, name, tags });

beforeAll(async () => {
  const greeting = await make('Greeting', 'Hello', ['chat', 'short'], 5);
  const farewell = await make('farewell', 'Good bye', ['chat'], 3);
  await make('Summary', 'Say in a few words', [], 4);
  await ask('labels-set', { promptId: farewell.promptId, label: 'production', version: '1.0.0' });
  await fetchPrompt(greeting.promptId, { times: 2 });
  await fetchPrompt(farewell.promptId, { times: 1 });
});

test('each prompt has its labels, tags and usage; the reply also lists all tags and labels', async () => {
  const { prompts, ...reply } = await list();
  expect(reply).toMatchObject({ total: 3, tags: ['chat', 'short'], labels: ['production'] });
  expect(prompts[2]).toMatchObject({
    name: 'farewell',
    latest: '1.0.0',
    tags: ['chat'],
    changedBy: 'admin@example.com',
    labels: [{ label: 'production', version: '1.0.0' }],
    fetches: { count: 1, byDay: expect.arrayContaining([1]), lastAt: expect.any(String) },
  });
  expect(prompts[1].fetches).toMatchObject({ count: 0, lastAt: null });
});

test('the list says whose draft a prompt has, of one page of drafts that is read, and goes without if it cannot be', async () => {
  const { table } = instance;
  const promptIds = ['Summary', 'Greeting'].map(promptIdOf);
  const draftOf = async () => (await list({ q: 'few words' })).prompts[0].draft;
  expect(await draftOf()).toBeUndefined();
  const [saved] = await Promise.all(
    promptIds.map((id) => saveDraft(table, changeAt(), id, content('Draft'))),
  );
  expect(await draftOf()).toEqual({ savedAt: saved?.savedAt, savedBy: 'operator@example.com' });
  const limits: unknown[] = [];
  const draftsWith = async (next: 'one' | 'none') => {
    const changed = intercepted(table, async ({ input }, proceed) => {
      if (!JSON.stringify(input).includes(`"${INDEX_PARTITIONS.drafts}"`)) return proceed();
      if (next === 'none') throw serverError();
      limits.push(input.Limit);
      input.Limit = 1;
      return proceed();
    });
    const listing = { view: 'all', sort: 'name', order: 'asc', limit: 10 } as const;
    const { entries } = await listPromptRows(changed, new Date(), listing);
    return entries.map(({ draft }) => draft !== undefined).toSorted();
  };
  expect(await draftsWith('one')).toEqual([false, false, true]);
  expect(limits).toEqual([200]);
  expect(await draftsWith('none')).toEqual([false, false, false]);
  for (const id of promptIds) await deleteDraft(table, changeAt(), id);
  expect(await draftOf()).toBeUndefined();
});

test.each<[object, string[]]>([
  [{}, ['Greeting', 'Summary', 'farewell']],
  [{ order: 'desc' }, ['farewell', 'Summary', 'Greeting']],
  [{ sort: 'changed' }, ['Greeting', 'Summary', 'farewell']],
  [{ sort: 'fetches', order: 'desc' }, ['Greeting', 'farewell', 'Summary']],
  [{ sort: 'fetched', order: 'desc' }, ['farewell', 'Greeting', 'Summary']],
  [{ q: 'GREET' }, ['Greeting']],
  [{ q: 'short' }, ['Greeting']],
  [{ q: 'few words' }, ['Summary']],
  [{ q: 'PRODUCTION' }, ['farewell']],
  [{ q: 'nothing' }, []],
  [{ tag: 'chat' }, ['Greeting', 'farewell']],
  [{ tag: 'cha' }, []],
  [{ label: 'production' }, ['farewell']],
  [{ fetched: true }, ['Greeting', 'farewell']],
  [{ fetched: false }, ['Summary']],
  [{ tag: 'chat', q: 'bye' }, ['farewell']],
])('%j filters and sorts, also page by page', async (query, expected) => {
  const { prompts, total } = await list(query);
  expect([column(prompts, 'name'), total]).toEqual([expected, expected.length]);
  const found = await allPages(
    (continued) => list({ ...query, limit: 2, ...continued }),
    (page) => column(page.prompts, 'name'),
  );
  expect(found).toEqual(expected);
});

test('prompts are listed by folder with counts of subfolders and drafts, and filters cover all folders', async () => {
  const inInvoice = ['billing/invoice/reminder', 'billing/invoice/thanks'];
  for (const name of ['billing/refund', ...inInvoice, 'odd', 'bill']) await make(name);
  const listing = async (query: object) => {
    const { prompts, folders, total } = await list(query);
    return { names: column(prompts, 'name'), folders, total };
  };
  const folders = { view: 'folders' };
  const root = await listing(folders);
  expect(root.folders).toEqual([{ folder: 'billing', prompts: 3 }]);
  expect(root.names).toEqual(expect.arrayContaining(['odd', 'bill']));
  expect(root.names).not.toContain('billing/refund');
  const invoice = [{ folder: 'billing/invoice', prompts: 2 }];
  expect(await listing({ ...folders, folder: 'billing' })).toEqual({
    names: ['billing/refund'],
    total: 1,
    folders: invoice,
  });
  await saveDraft(instance.table, changeAt(), promptIdOf('billing/invoice/thanks'), content('Draft'));
  expect((await listing(folders)).folders).toEqual([{ folder: 'billing', prompts: 3, drafts: 1 }]);
  expect((await listing({ draft: true })).names).toEqual(['billing/invoice/thanks']);
  const without = { draft: false, folder: 'billing/invoice' };
  expect((await listing(without)).names).toEqual(['billing/invoice/reminder']);
  expect(await listing({ folder: 'billing', q: 'invoice' })).toEqual({
    names: inInvoice,
    total: 2,
    folders: [],
  });
});

test("a search in texts, the list by name and a sorted one refuse each other's cursors", async () => {
  for (const name of ['a', 'b', 'c']) await make(`cursors/${name}`, 'A lemur');
  const byName = { folder: 'cursors', limit: 1, sort: 'name' };
  const inTexts = { ...byName, q: 'lemur', texts: true };
  for (const [query, other] of [
    [{ ...byName, sort: 'changed' }, inTexts],
    [{ ...byName, sort: 'changed' }, byName],
    [inTexts, byName],
  ] as const) {
    const { cursor } = await list(query);
    expect(cursor).toEqual(expect.any(String));
    await refused('prompts-list', 'invalid_request', { ...other, cursor });
  }
});

describe('in latest and labelled versions, part by part, and in no other,', () => {
  const create = async (name: string, body: object): Promise<string> =>
    (await ask('prompts-create', { name: `texts/${name}`, ...body })).prompt.promptId;
  const publish = (promptId: string, prompt = 'Nothing') =>
    ask('versions-publish', { promptId, prompt, bump: 'minor' });
  // Three of these take all that one call may read.
  const LARGE = ['large-1', 'large-2', 'large-3', 'large-4'];
  beforeAll(async () => {
    for (const name of LARGE) await create(name, { prompt: `${'x'.repeat(250_000)}\n${name}: ZEBRA` });
  });

  test('a search in texts finds the line', async () => {
    const texts = 'One\nA zebra\r\nThree';
    await publish(await create('labelled', { prompt: texts, label: 'staging' }));
    await publish(await create('past', { prompt: texts }));
    await create('chat', { type: 'chat', messages: [{ role: 'user', content: texts }] });
    let calls = 0;
    const found = await allPages(
      (continued) => list({ q: 'zebra', texts: true, folder: 'texts', ...continued }),
      ({ prompts }) => {
        calls += 1;
        return prompts as { name: string; found?: object }[];
      },
    );
    const rows = found.map((row) => ({ name: row.name, ...row.found }));
    const version = '1.0.0';
    expect(rows).toEqual([
      { name: 'texts/chat', version, line: 'A zebra' },
      { name: 'texts/labelled', version, line: 'A zebra' },
      ...LARGE.map((name) => ({ name: `texts/${name}`, version, line: `${name}: ZEBRA` })),
    ]);
    expect(calls).toBeGreaterThan(1);
  });

  test('a compiled text and a content hash are found, and nothing of them is kept', async () => {
    const template = 'You help the customers of {{company}} politely.';
    const promptId = await create('support', { prompt: template, label: 'production' });
    const { contentHash } = await publish(promptId, `${template} Be brief.`);
    await publish(promptId);
    await ask('labels-set', { promptId, label: 'beta', version: '1.1.0' });
    const [part, all] = [template.slice(0, 25), template].map((content) => ({ role: 'system', content }));
    await create('help', { type: 'chat', messages: [part, all] });
    let calls = 0;
    const find = (text: string) =>
      allPages(
        (continued) => ask('prompts-find', { text, ...continued }),
        (part) => {
          calls += 1;
          return part.found as object[];
        },
      );
    const values = [{ name: 'company', value: 'MARK-Acme' }];
    const first = { name: 'texts/support', version: '1.0.0', labels: ['production'] };
    const second = { promptId, name: 'texts/support', version: '1.1.0', labels: ['beta'] };
    expect(await find('log: You help the customers of MARK-Acme politely. Be brief.')).toMatchObject([
      { name: 'texts/help', version: '1.0.0', labels: [], literal: 34, values },
      { ...second, literal: 44, values },
      { ...first, literal: 34, values },
    ]);
    expect(calls).toBeGreaterThan(1);
    for (const text of [contentHash, contentHash.slice('sha256:'.length)])
      expect(await find(` ${text}\n`)).toEqual([second]);
    expect(await find(`sha256:${'0'.repeat(64)}`)).toEqual([]);
    for (const wrong of [{ text: 'x'.repeat(256 * 1024 + 1) }, { text: 'x', cursor: 'x' }])
      await refused('prompts-find', 'invalid_request', wrong);
    expect(instance.logs.join('')).not.toContain('MARK-Acme');
  });
});

test('a search that takes long ends after the versions that it has read, and can go on there', async () => {
  const prompts: object[] = [];
  for (const name of ['slow/1', 'slow/2', 'slow/3'])
    prompts.push({ promptId: (await make(name)).promptId, latest: '1.0.0', labels: [] });
  const { now } = performance;
  let seconds = 0;
  performance.now = () => now.call(performance) + seconds * 1_000;
  const compare = () => {
    seconds += 10;
    return undefined;
  };
  const search = (from: number) =>
    searchTexts(instance.table, prompts.slice(from) as never, () => true, compare, 0);
  try {
    expect(await search(0)).toMatchObject({ done: 2, skip: 0 });
    expect(await search(2)).toMatchObject({ done: 1, skip: 0 });
  } finally {
    performance.now = now;
  }
});

test('deleted prompts are listed newest first, with who deleted them and until when they can be restored', async () => {
  const ids: string[] = [];
  for (const hoursAgo of [3, 1, 2, 168.1]) {
    const { promptId } = await aPrompt();
    await deletePrompt(instance.table, changeAt(daysAgo(hoursAgo / 24)), promptId);
    ids.push(promptId);
  }
  const live = await aPrompt();
  const listed = async (query: object = {}) => (await ask('prompts-list-deleted', query)).prompts;
  const prompts = await listed();
  expect(column(prompts, 'promptId')).toEqual([ids[1], ids[2], ids[0]]);
  const [{ deletedAt, restorableUntil, ...rest }] = prompts;
  expect(rest).toMatchObject({ latest: '1.1.0', versions: 2, deletedBy: 'operator@example.com' });
  expect(Date.parse(restorableUntil) - Date.parse(deletedAt)).toBe(7 * 86_400_000);
  const { cursor } = await ask('prompts-list-deleted', { limit: 2 });
  expect(await listed({ limit: 2, cursor })).toEqual(prompts.slice(2));
  const byId = [ids[2], ids[3], live.promptId, 'prm_none'].map((promptId) => listed({ promptId }));
  expect(await Promise.all(byId)).toEqual([[prompts[1]], [], [], []]);
  const late = await refused('prompts-restore', 'prompt_not_found', { promptId: ids[3] });
  expect(late).toContain('7 days');
});
