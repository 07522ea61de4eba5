import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { PROMPT_HEAD } from '../../../lambdas/store/prompts/head.ts';
import { setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { createPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { toItem } from '../../../lambdas/store/signing/writes.ts';
import { ask, refused } from '../../support/admin.ts';
import { daysAgo } from '../../support/days.ts';
import { content } from '../../support/rows/prompts.ts';
import { addItems, changeAt } from '../../support/rows/table.ts';
import { countUses } from '../../support/rows/usage.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

withOwnInstance();

const MANY = 1_700;
const nameOf = (i: number): string => `${i % 2 === 0 ? 'even' : 'odd/deep'}/${String(i).padStart(5, '0')}`;
const LAST = 'zoo';

type Page = Awaited<ReturnType<typeof ask>>;

const pagesOf = async (query: Record<string, string | number | boolean>): Promise<Page[]> => {
  const pages: Page[] = [];
  let cursor: string | undefined;
  do {
    const page: Page = await ask(instance, 'prompts-list', {
      query: { ...query, ...(cursor && { cursor }) },
    });
    pages.push(page);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return pages;
};
const namesIn = (pages: readonly Page[]): string[] =>
  pages.flatMap(({ prompts }) => prompts.map(({ name }: { name: string }) => name));

beforeAll(async () => {
  const { table } = instance;
  const head = await createPrompt(table, changeAt(), { ...content('Say hello'), name: LAST, tags: ['last'] });
  const heads = Array.from({ length: MANY }, (_, i) => ({
    ...head,
    tags: [],
    name: nameOf(i),
    promptId: promptIdOf(nameOf(i)),
  }));
  await addItems(
    table,
    heads.map((each) => toItem(PROMPT_HEAD, each)),
  );
  await countUses(table, { promptId: head.promptId, version: '1.0.0', apiKeyId: 'k' }, daysAgo(1), 3);
  await instance.settled();
});

test.each(['asc', 'desc'])('the pages by name together are all prompts, each once: %s', async (order) => {
  const pages = await pagesOf({ limit: 200, order });
  const all = [...Array.from({ length: MANY }, (_, i) => nameOf(i)), LAST].sort();
  expect(namesIn(pages)).toEqual(order === 'asc' ? all : all.reverse());
  expect(pages.every(({ total }) => total === undefined)).toBe(true);
  expect(pages[1].read).toBeLessThanOrEqual(201);
});

test('a search answers what a part has, even nothing, and continues to the last prompt', async () => {
  const pages = await pagesOf({ q: 'SAY HELLO', tag: 'last' });
  expect(pages.length).toBeGreaterThan(1);
  expect(pages[0]).toMatchObject({ prompts: [], read: 1_500, cursor: expect.any(String) });
  expect(namesIn(pages)).toEqual([LAST]);
  expect(pages.reduce((sum, { read }) => sum + read, 0)).toBe(MANY + 1);
});

test('a filter by fetches looks up few prompts at a time, and finds all', async () => {
  expect(namesIn(await pagesOf({ fetched: true }))).toEqual([LAST]);
});

test.each(['asc', 'desc'])(
  'the root has each folder, the rest of one that is too long unread: %s',
  async (order) => {
    const pages = await pagesOf({ view: 'folders', order });
    const folders = pages.flatMap((page) => page.folders.map(({ folder }: { folder: string }) => folder));
    expect(folders.toSorted()).toEqual(['even', 'odd']);
    expect(pages.flatMap((page) => page.folders).some(({ more }) => more === true)).toBe(true);
    expect(namesIn(pages)).toEqual([LAST]);
  },
);

test('a folder is a range of names: sorted as a whole, whatever is beside it', async () => {
  const query = { folder: 'even', view: 'folders', sort: 'changed', limit: 200 };
  const [first] = await pagesOf(query);
  expect(first).toMatchObject({ total: MANY / 2, read: MANY / 2 });
});

test('too many prompts are sorted by fetches as far as the most fetched, and by name otherwise', async () => {
  expect(namesIn(await pagesOf({ sort: 'fetches', order: 'desc' }))).toEqual([LAST]);
  const [first] = await pagesOf({ sort: 'changed', limit: 200 });
  expect(namesIn([first])[0]).toBe(nameOf(0));
  expect(first.total).toBeUndefined();
});

test('a cursor of another list is refused', async () => {
  const cursor = Buffer.from('["x","y"]').toString('base64url');
  await refused(instance, 'prompts-list', 'invalid_request', { query: { cursor } });
});

test('a page with a label goes through a thousand names to fill, even with nothing, and the next continues', async () => {
  await setLabel(instance.table, changeAt(), promptIdOf(LAST), 'live', '1.0.0');
  const { apiKey } = await instance.newKey({ permissions: ['prompts'] });
  const list = async (cursor?: string) =>
    (await instance.post('/api/prompt/list', { label: 'live', cursor }, apiKey)).json.res;
  const first = await list();
  const names = Array.from({ length: MANY }, (_, i) => nameOf(i)).sort();
  expect(first).toEqual({ prompts: [], cursor: names[999] });
  expect(await list(first.cursor)).toEqual({ prompts: [expect.objectContaining({ name: LAST })] });
});
