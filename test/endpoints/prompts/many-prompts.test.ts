import { SAMPLE_TAG } from '../../../contract/samples.ts';
import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { recountPrompts } from '../../../lambdas/store/prompts/counts.ts';
import { PROMPT_HEAD } from '../../../lambdas/store/prompts/head.ts';
import { toItem } from '../../../lambdas/store/signing/writes.ts';
import { ask, column } from '../../support/admin.ts';
import { daysAgo } from '../../support/days.ts';
import { allPages } from '../../support/pages.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { addItems } from '../../support/rows/table.ts';
import { countUses } from '../../support/rows/usage.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

withOwnInstance();

const MANY = 1_700;
const LAST = 'zoo';
const NAMES = Array.from(
  { length: MANY },
  (_, i) => `${i % 2 === 0 ? 'even' : 'odd/deep'}/${String(i).padStart(5, '0')}`,
);

type Page = Awaited<ReturnType<typeof ask>>;

const pagesOf = (query: object): Promise<Page[]> =>
  allPages(
    (continued) => ask('prompts-list', { ...query, ...continued }),
    (page) => [page],
  );
const namesIn = (pages: readonly Page[]) => pages.flatMap(({ prompts }) => column(prompts, 'name'));

beforeAll(async () => {
  const { table } = instance;
  const head = await newPrompt(table, { prompt: 'Say hello', name: LAST, tags: ['last'] });
  const rows = NAMES.map((name, i) =>
    toItem(PROMPT_HEAD, { ...head, tags: i < 10 ? [SAMPLE_TAG] : [], name, promptId: promptIdOf(name) }),
  );
  await addItems(table, rows);
  await countUses(table, { promptId: head.promptId, version: '1.0.0', apiKeyId: 'k' }, daysAgo(1), 3);
  await instance.settled();
});

test.each(['asc', 'desc'])('the pages by name together are all prompts, each once: %s', async (order) => {
  const pages = await pagesOf({ limit: 200, order });
  const all = [...NAMES, LAST].sort();
  expect(namesIn(pages)).toEqual(order === 'asc' ? all : all.reverse());
  expect(pages.every(({ total }) => total === undefined)).toBe(true);
  expect(pages[1].read).toBeLessThanOrEqual(201);
});

test('a search answers what a part has, even nothing, and continues to the last prompt', async () => {
  const pages = await pagesOf({ q: 'SAY HELLO', tag: 'last' });
  expect(pages).toMatchObject([
    { prompts: [], read: 1_500, cursor: expect.any(String) },
    { prompts: [{ name: LAST }], read: MANY + 1 - 1_500 },
  ]);
});

test('a filter by fetches looks up few prompts at a time, and finds all', async () => {
  expect(namesIn(await pagesOf({ fetched: true }))).toEqual([LAST]);
});

test.each(['asc', 'desc'])(
  'the root has each folder, the rest of one that is too long unread: %s',
  async (order) => {
    const pages = await pagesOf({ view: 'folders', order });
    const folders = pages.flatMap((page) => page.folders);
    expect(column(folders, 'folder').toSorted()).toEqual(['even', 'odd']);
    expect(column(folders, 'more')).toContain(true);
    expect(namesIn(pages)).toEqual([LAST]);
  },
);

test('a folder is a range of names: sorted as a whole, whatever is beside it', async () => {
  const query = { folder: 'even', view: 'folders', sort: 'changed', limit: 200 };
  expect((await ask('prompts-list', query)).total).toBe(MANY / 2);
});

test('too many prompts are sorted by fetches as far as the most fetched, and by name otherwise', async () => {
  expect(namesIn(await pagesOf({ sort: 'fetches', order: 'desc' }))).toEqual([LAST]);
  const { prompts, total } = await ask('prompts-list', { sort: 'changed', limit: 200 });
  expect([prompts[0].name, total]).toEqual([NAMES[0], undefined]);
});

test('a page with a label goes through a thousand names to fill, even with nothing, and the next continues', async () => {
  await ask('labels-set', { promptId: promptIdOf(LAST), label: 'live', version: '1.0.0' });
  const { apiKey } = await instance.newKey({ permissions: ['prompts'] });
  const list = async (cursor?: string) =>
    (await instance.post('/api/prompt/list', { label: 'live', cursor }, apiKey)).json.res;
  const first = await list();
  expect(first).toEqual({ prompts: [], cursor: NAMES.toSorted()[999] });
  expect(await list(first.cursor)).toEqual({ prompts: [expect.objectContaining({ name: LAST })] });
});

test('the overview has all prompts and samples in its totals, from the last count', async () => {
  const totals = async () => (await ask('overview-get')).totals;
  expect((await totals()).prompts).toBeLessThan(MANY);
  await recountPrompts(instance.table);
  expect(await totals()).toMatchObject({ prompts: MANY + 1, samples: 10 });
});
