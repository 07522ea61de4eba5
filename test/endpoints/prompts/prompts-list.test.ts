import { INDEX_PARTITIONS } from '../../../contract/table.ts';
import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { deleteDraft, saveDraft } from '../../../lambdas/store/prompts/drafts.ts';
import { setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { createPrompt, deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { listPromptRows } from '../../../lambdas/store/views/prompt-rows.ts';
import { searchTexts } from '../../../lambdas/store/views/text-search.ts';
import { ask, refused } from '../../support/admin.ts';
import { intercepted, serverError } from '../../support/aws/intercept.ts';
import { daysAgo } from '../../support/days.ts';
import { content } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { aPrompt, fetchPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

withOwnInstance();

const names = async (query: Record<string, string | number | boolean>): Promise<string[]> =>
  (await ask(instance, 'prompts-list', { query })).prompts.map(({ name }: { name: string }) => name);

beforeAll(async () => {
  const make = (name: string, prompt: string, tags: string[], days: number) =>
    createPrompt(instance.table, changeAt(daysAgo(days)), {
      ...content(prompt),
      name,
      tags,
    });
  const greeting = await make('Greeting', 'Hello', ['chat', 'short'], 5);
  const farewell = await make('farewell', 'Good bye', ['chat'], 3);
  await make('Summary', 'Say in a few words', [], 4);
  await setLabel(instance.table, changeAt(), farewell.promptId, 'production', '1.0.0');
  await fetchPrompt(instance, greeting.promptId, { times: 2 });
  await fetchPrompt(instance, farewell.promptId, { times: 1 });
});

test('each prompt has its labels, tags and usage; the reply also lists all tags and labels', async () => {
  const reply = await ask(instance, 'prompts-list');
  expect(reply).toMatchObject({ total: 3, tags: ['chat', 'short'], labels: ['production'] });
  expect(reply.prompts[2]).toMatchObject({
    name: 'farewell',
    latest: '1.0.0',
    tags: ['chat'],
    changedBy: 'operator@example.com',
    labels: [{ label: 'production', version: '1.0.0' }],
    fetches: { count: 1, byDay: expect.arrayContaining([1]), lastAt: expect.any(String) },
  });
  expect(reply.prompts[1].fetches).toMatchObject({ count: 0, lastAt: null });
});

test('the list says whose draft a prompt has, until the draft is gone', async () => {
  const { table } = instance;
  const draftOf = async () =>
    (await ask(instance, 'prompts-list', { query: { q: 'few words' } })).prompts[0].draft;
  const promptId = promptIdOf('Summary');
  expect(await draftOf()).toBeUndefined();
  const { savedAt } = await saveDraft(table, changeAt(), promptId, content('In fewer words'));
  expect(await draftOf()).toEqual({ savedAt, savedBy: 'operator@example.com' });
  await deleteDraft(table, changeAt(), promptId);
  expect(await draftOf()).toBeUndefined();
});

const NOW = new Date();
const LISTING = { view: 'all', sort: 'name', order: 'asc', limit: 10 } as const;
const isOfDrafts = (input: Record<string, unknown>): boolean =>
  JSON.stringify(input).includes(`"${INDEX_PARTITIONS.drafts}"`);

test('the list reads one page of drafts', async () => {
  const { table } = instance;
  const promptIds = ['Summary', 'Greeting'].map(promptIdOf);
  for (const promptId of promptIds) await saveDraft(table, changeAt(), promptId, content('Draft'));
  let reads = 0;
  const small = intercepted(table, ({ input }, next) => {
    if (isOfDrafts(input)) {
      reads++;
      expect(input.Limit).toBe(200);
      input.Limit = 1;
    }
    return next();
  });
  const { entries } = await listPromptRows(small, NOW, LISTING);
  expect([reads, entries.filter(({ draft }) => draft !== undefined).length]).toEqual([1, 1]);
  for (const promptId of promptIds) await deleteDraft(table, changeAt(), promptId);
});

test('while drafts cannot be read, prompts are listed without them', async () => {
  const { table } = instance;
  const promptId = promptIdOf('Summary');
  await saveDraft(table, changeAt(), promptId, content('Draft'));
  const failing = intercepted(table, async ({ input }, next) => {
    if (isOfDrafts(input)) throw serverError();
    return next();
  });
  const { entries } = await listPromptRows(failing, NOW, LISTING);
  expect(entries.map(({ draft }) => draft)).toEqual([undefined, undefined, undefined]);
  await deleteDraft(table, changeAt(), promptId);
});

test.each<[Record<string, string | boolean>, string[]]>([
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
])('%j filters and sorts', async (query, expected) => {
  expect(await names(query)).toEqual(expected);
});

test('the pages together are the whole list', async () => {
  const query = { sort: 'fetches', order: 'desc', limit: 2 };
  const first = await ask(instance, 'prompts-list', { query });
  expect(first).toMatchObject({ total: 3, cursor: expect.any(String) });
  const second = await ask(instance, 'prompts-list', { query: { ...query, cursor: first.cursor } });
  expect(second.cursor).toBeUndefined();
  const found = [...first.prompts, ...second.prompts].map(({ name }: { name: string }) => name);
  expect(found).toEqual(['Greeting', 'farewell', 'Summary']);
});

test('prompts are listed by folder with counts of subfolders and drafts, and filters cover all folders', async () => {
  for (const name of ['billing/refund', 'billing/invoice/thanks', 'billing/invoice/reminder', 'odd', 'bill'])
    await createPrompt(instance.table, changeAt(), { ...content('x'), name });
  const listing = async (query: Record<string, string>) => {
    const { prompts, folders, total } = await ask(instance, 'prompts-list', { query });
    return { names: prompts.map(({ name }: { name: string }) => name), folders, total };
  };
  const root = await listing({ view: 'folders' });
  expect(root.folders).toEqual([{ folder: 'billing', prompts: 3 }]);
  expect(root.names).toEqual(expect.arrayContaining(['odd', 'bill']));
  expect(root.names).not.toContain('billing/refund');
  expect(await listing({ view: 'folders', folder: 'billing' })).toEqual({
    names: ['billing/refund'],
    total: 1,
    folders: [{ folder: 'billing/invoice', prompts: 2 }],
  });
  await saveDraft(instance.table, changeAt(), promptIdOf('billing/invoice/thanks'), content('Draft'));
  expect((await listing({ view: 'folders' })).folders).toEqual([
    { folder: 'billing', prompts: 3, drafts: 1 },
  ]);
  expect((await listing({ draft: 'true' })).names).toEqual(['billing/invoice/thanks']);
  expect((await listing({ draft: 'false', folder: 'billing/invoice' })).names).toEqual([
    'billing/invoice/reminder',
  ]);
  expect(await listing({ folder: 'billing', q: 'invoice' })).toEqual({
    names: ['billing/invoice/reminder', 'billing/invoice/thanks'],
    total: 2,
    folders: [],
  });
});

test("a search in texts and another list refuse each other's cursors", async () => {
  for (const name of ['a', 'b', 'c'])
    await createPrompt(instance.table, changeAt(), { ...content('A lemur'), name: `cursors/${name}` });
  const byName = { folder: 'cursors', limit: 1, sort: 'name' };
  const inTexts = { ...byName, q: 'lemur', texts: true };
  const byTime = { ...byName, sort: 'changed' };
  for (const [query, other] of [
    [byTime, inTexts],
    [inTexts, byName],
  ] as const) {
    const { cursor } = await ask(instance, 'prompts-list', { query });
    expect(cursor).toEqual(expect.any(String));
    await refused(instance, 'prompts-list', 'invalid_request', { query: { ...other, cursor } });
  }
});

test('a search in texts finds the line in latest and labelled versions, part by part, and in no other', async () => {
  const texts = 'One\nA zebra\r\nThree';
  const create = async (name: string, body: object) => {
    const prompt = { name: `texts/${name}`, ...body } as { name: string; prompt: string };
    return { promptId: (await ask(instance, 'prompts-create', { body: prompt })).prompt.promptId };
  };
  const publish = (params: { promptId: string }) =>
    ask(instance, 'versions-publish', { params, body: { prompt: 'Nothing', bump: 'minor' } });
  await publish(await create('labelled', { prompt: texts, label: 'staging' }));
  await publish(await create('past', { prompt: texts }));
  await create('chat', { type: 'chat', messages: [{ role: 'user', content: texts }] });
  // Three of these take all that one call may read.
  for (const name of ['large-1', 'large-2', 'large-3', 'large-4'])
    await create(name, { prompt: `${'x'.repeat(250_000)}\n${name}: ZEBRA` });
  const query = { q: 'zebra', texts: true, folder: 'texts' };
  const found: object[] = [];
  const parts: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await ask(instance, 'prompts-list', { query: { ...query, ...(cursor && { cursor }) } });
    const rows: { name: string; found?: object }[] = page.prompts;
    found.push(...rows.map((row) => ({ name: row.name, ...row.found })));
    parts.push(page.read);
    cursor = page.cursor;
  } while (cursor !== undefined);
  expect(found).toEqual(
    [
      { name: 'texts/chat', version: '1.0.0', line: 'A zebra' },
      ...[1, 2, 3, 4].map((n) => ({
        name: `texts/large-${n}`,
        version: '1.0.0',
        line: `large-${n}: ZEBRA`,
      })),
      { name: 'texts/labelled', version: '1.0.0', line: 'A zebra' },
    ].sort((a, b) => (a.name < b.name ? -1 : 1)),
  );
  expect(parts.length).toBeGreaterThan(1);
});

test('a compiled text and a content hash are found in latest and labelled versions, part by part, and nothing of them is kept', async () => {
  const create = async (name: string, body: object) =>
    (await ask(instance, 'prompts-create', { body: { name: `sources/${name}`, ...body } })).prompt.promptId;
  const template = 'You help the customers of {{company}} politely.';
  const promptId = await create('support', { prompt: template, label: 'production' });
  const body = { prompt: `${template} Be brief.`, bump: 'minor' };
  const { contentHash } = await ask(instance, 'versions-publish', { params: { promptId }, body });
  await ask(instance, 'versions-publish', { params: { promptId }, body: { prompt: 'Other', bump: 'minor' } });
  await ask(instance, 'labels-set', { params: { promptId, label: 'beta' }, body: { version: '1.1.0' } });
  await create('chat', { type: 'chat', messages: [{ role: 'system', content: template }] });
  for (const name of ['wide-1', 'wide-2', 'wide-3', 'wide-4'])
    await create(name, { prompt: 'x'.repeat(250_000) });
  const find = async (text: string) => {
    const found: { name: string }[] = [];
    let calls = 0;
    let cursor: string | undefined;
    do {
      const part = await ask(instance, 'prompts-find', { body: { text, ...(cursor && { cursor }) } });
      found.push(...part.found);
      cursor = part.cursor;
      calls += 1;
    } while (cursor !== undefined);
    return {
      calls,
      found: found.map(({ name, ...rest }) => ({ name: name.replace('sources/', ''), ...rest })),
    };
  };
  const { calls, found } = await find('log: You help the customers of MARK-Acme politely. Be brief.');
  const values = [{ name: 'company', value: 'MARK-Acme' }];
  expect(calls).toBeGreaterThan(1);
  expect(found).toMatchObject([
    { name: 'chat', version: '1.0.0', labels: [], literal: 34, values },
    { name: 'support', version: '1.1.0', labels: ['beta'], literal: 44, values },
    { name: 'support', version: '1.0.0', labels: ['production'], literal: 34, values },
  ]);
  expect(new Set(found.map((source) => 'promptId' in source))).toEqual(new Set([true]));
  for (const text of [contentHash, contentHash.slice('sha256:'.length)])
    expect((await find(` ${text}\n`)).found).toEqual([
      { promptId, name: 'support', version: '1.1.0', labels: ['beta'] },
    ]);
  expect((await find(`sha256:${'0'.repeat(64)}`)).found).toEqual([]);
  await refused(instance, 'prompts-find', 'invalid_request', { body: { text: 'x'.repeat(256 * 1024 + 1) } });
  await refused(instance, 'prompts-find', 'invalid_request', { body: { text: 'x', cursor: 'x' } });
  expect(instance.logs.join('')).not.toContain('MARK-Acme');
});

test('a search that takes long ends after the versions that it has read, and can go on there', async () => {
  const prompts: { promptId: string; latest: string; labels: never[] }[] = [];
  for (const name of ['slow/1', 'slow/2', 'slow/3']) {
    const { promptId } = await createPrompt(instance.table, changeAt(), { ...content('x'), name });
    prompts.push({ promptId, latest: '1.0.0', labels: [] });
  }
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
  for (const hoursAgo of [3, 1, 2, 200]) {
    const { promptId } = await aPrompt(instance);
    await deletePrompt(instance.table, changeAt(new Date(Date.now() - hoursAgo * 3_600_000)), promptId);
    ids.push(promptId);
  }
  const live = await aPrompt(instance);
  const { prompts } = await ask(instance, 'prompts-list-deleted');
  expect(prompts.map(({ promptId }: { promptId: string }) => promptId)).toEqual([ids[1], ids[2], ids[0]]);
  const [{ deletedAt, restorableUntil, ...rest }] = prompts;
  expect(rest).toMatchObject({ latest: '1.1.0', versions: 2, deletedBy: 'operator@example.com' });
  expect(Date.parse(restorableUntil) - Date.parse(deletedAt)).toBe(7 * 86_400_000);
  const first = await ask(instance, 'prompts-list-deleted', { query: { limit: 2 } });
  const second = await ask(instance, 'prompts-list-deleted', { query: { limit: 2, cursor: first.cursor } });
  expect([...first.prompts, ...second.prompts]).toEqual(prompts);
  const byId = async (promptId = '') =>
    (await ask(instance, 'prompts-list-deleted', { query: { promptId } })).prompts;
  expect(await byId(ids[2])).toEqual([prompts[1]]);
  expect([await byId(ids[3]), await byId(live.promptId), await byId('prm_none')]).toEqual([[], [], []]);
});
