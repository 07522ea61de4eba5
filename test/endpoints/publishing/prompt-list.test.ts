import { documentationOf } from '../../../contract/documentation.ts';
import { promptList } from '../../../contract/endpoints/publishing.ts';
import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { createPrompt, deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { allPages } from '../../support/pages.ts';
import { content } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

const folder = uniqueName('folder');
const names = ['a', 'b', 'c', 'Ω', '𝄞'].map((name) => `${folder}/${name}`);

withSharedInstance();
beforeAll(async () => {
  for (const name of [...names, `${folder}/d-deleted`])
    await createPrompt(instance.table, changeAt(), { ...content(`Hello from ${name}`), name });
  await deletePrompt(instance.table, changeAt(), promptIdOf(`${folder}/d-deleted`));
});

const list = async (key: { apiKey: string }, body: object) => {
  const { status, json } = await instance.post('/api/prompt/list', body, key.apiKey);
  expect([status, json?.err]).toEqual([200, null]);
  expect(documentationOf(promptList).reply.parse(json.res)).toEqual(json.res);
  return json.res;
};

test('pages follow each other by name without gaps, and end', async () => {
  const key = await instance.newKey({ permissions: ['prompts'], prompts: [`${folder}/*`] });
  const found = await allPages(
    (continued) => list(key, { limit: 2, ...continued }),
    ({ prompts, cursor }) => {
      const page = prompts.map(({ name }: { name: string }) => name);
      expect([undefined, page.at(-1)]).toContain(cursor);
      return page;
    },
  );
  expect(found).toEqual(names);
});

test('a restricted key sees what it may, and a cursor outside of that is refused', async () => {
  const key = await instance.newKey({
    permissions: ['publish'],
    prompts: [`${folder}/x*`, `${folder}/Ω*`, `${folder}/Ω`, `${folder}/b`],
  });
  const visible = async (body: object) =>
    (await list(key, body)).prompts.map(({ name }: { name: string }) => name.slice(folder.length + 1));
  expect(await visible({})).toEqual(['b', 'Ω']);
  expect(await visible({ cursor: `${folder}/b` })).toEqual(['Ω']);
  expect(await visible({ cursor: `${folder}/xyz` })).toEqual(['Ω']);
  for (const cursor of [`${folder}/a`, `${folder}/c`, '~'])
    expect(await instance.post('/api/prompt/list', { cursor }, key.apiKey)).toMatchObject({ status: 400 });
});
