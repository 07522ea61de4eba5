import { LIMITS } from '../../../contract/limits.ts';
import { requireIncludable } from '../../../lambdas/core/api-keys/publishing.ts';
import type { ApiKey } from '../../../lambdas/core/api-keys/rules.ts';
import { withFragments } from '../../../lambdas/store/prompts/fragments.ts';
import { deletePrompt, restorePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { exportLatest } from '../../../lambdas/store/prompts/listing.ts';
import { deleteVersion, publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import type { PromptQuery } from '../../../lambdas/store/prompts/reader.ts';
import { countingCalls, intercepted } from '../../support/aws/intercept.ts';
import { content, newPrompt, promptFinder } from '../../support/rows/prompts.ts';
import { changeAt, expectRefused, table, withTestTable } from '../../support/rows/table.ts';

withTestTable();

const HEAD = 'HEAD';
const sortKeyOf = (input: Record<string, unknown>) => (input.Key as { sk: string }).sk;

/** A reader, and the sort keys that each of its calls has read. */
const watched = (bytes?: number) => {
  let reads: string[] = [];
  const watching = intercepted(table, ({ input }, next) => {
    reads.push(sortKeyOf(input).replace(/(?<=\.|#)0+(?=\d)/g, ''));
    return next();
  });
  const find = promptFinder(watching, bytes);
  return async (query: PromptQuery) => {
    reads = [];
    await find(query);
    return reads;
  };
};

const twoVersions = async () => {
  const prompt = await newPrompt(table, { prompt: 'one' });
  const two = { ...content('two'), version: '2.0.0' };
  await publishVersion(table, changeAt(), prompt.promptId, two);
  return prompt;
};

test('a version deleted after the head was read is not served from the cache by the next call', async () => {
  const { promptId, name } = await twoVersions();
  const version = '2.0.0';
  let racing = true;
  const find = promptFinder(
    intercepted(table, async ({ input }, next) => {
      const row = await next();
      if (racing && sortKeyOf(input) !== HEAD) {
        racing = false;
        await deleteVersion(table, changeAt(), promptId, version);
      }
      return row;
    }),
  );
  expect(await find({ name, version })).toMatchObject({ prompt: 'two' });
  await expectRefused(find({ name, version }), 'version_not_found');
});

test('if the latest version is deleted before its body is read, the next one is served', async () => {
  const { promptId, name } = await twoVersions();
  let deleted = false;
  const racing = intercepted(table, async ({ input }, next) => {
    if (sortKeyOf(input) === HEAD || deleted) return next();
    deleted = true;
    await deleteVersion(table, changeAt(), promptId, '2.0.0');
    return next();
  });
  expect(await promptFinder(racing)({ name })).toMatchObject({ version: '1.0.0', prompt: 'one' });
});

test('a warm reader follows the deletion, restoration and re-creation of a prompt', async () => {
  const { promptId, name } = await twoVersions();
  const find = promptFinder(table);
  await find({ name });
  await deletePrompt(table, changeAt(), promptId);
  await expectRefused(find({ name }), 'prompt_not_found');
  await restorePrompt(table, changeAt(), promptId);
  expect(await find({ name })).toMatchObject({ version: '2.0.0' });
  await deletePrompt(table, changeAt(), promptId);
  await newPrompt(table, { prompt: 'recreated', name, overDeleted: true });
  expect(await find({ name })).toMatchObject({ version: '3.0.0', prompt: 'recreated' });
  await expectRefused(find({ name, version: '2.0.0' }), 'version_not_found');
});

test('the cache of bodies is bounded, templates and tags counted: the least recently used one is evicted', async () => {
  const tags = Array.from({ length: 50 }, (_, n) => String(n).padStart(128, 't'));
  const [a, b, c] = ['a', 'b', 'c'].map((letter) => ({ name: `cached ${letter}` })) as [
    PromptQuery,
    PromptQuery,
    PromptQuery,
  ];
  for (const { name = '' } of [a, b, c]) await newPrompt(table, { prompt: 'x'.repeat(5_000), tags, name });
  const find = watched(50_000);
  for (const query of [a, b, a, c]) await find(query);
  expect([await find(a), await find(c)]).toEqual([[HEAD], [HEAD]]);
  expect(await find(b)).toEqual([HEAD, 'VERSION#1.0.0']);
});

test('a caller cannot change the reply of the next call', async () => {
  const { name } = await newPrompt(table, { metaProperties: { a: { b: 1 } } });
  const find = promptFinder(table);
  await find({ name });
  const { metaProperties } = await find({ name });
  Object.assign(metaProperties, { a: 2 });
  expect((await find({ name })).metaProperties).toEqual({ a: { b: 1 } });
});

const readsOf = () => countingCalls(table, (operation) => operation === 'GetCommand');

test('an export reads head and version of each prompt up to the first that does not fit or exist, and none after it', async () => {
  const large = 'x'.repeat(LIMITS.templateBytes);
  const names = Array.from({ length: LIMITS.exportedPrompts }, (_, i) => `exported ${i}`);
  for (const name of names) await newPrompt(table, { prompt: large, name });
  const page = readsOf();
  const found = await exportLatest(page.counted, changeAt(), names);
  expect(found.length).toBeLessThan(names.length);
  expect(page.calls).toHaveLength(2 * (found.length + 1));
  const absent = readsOf();
  await expectRefused(
    exportLatest(absent.counted, changeAt(), ['none', ...names.slice(1)]),
    'prompt_not_found',
  );
  expect(absent.calls).toHaveLength(1);
});

test('includes that a key may not see cost no read, and those after one that does not exist neither', async () => {
  const names = Array.from({ length: LIMITS.includes }, (_, i) => `fragment ${i}`);
  const includes = names.map((name) => ({ name, version: '1.0.0', contentHash: '' }));
  const written = { ...content('x'), includes };
  const refused = readsOf();
  const apiKey = { prompts: ['mine/*'] as readonly string[], permissions: ['publish'] } as unknown as ApiKey;
  await expectRefused(
    withFragments(refused.counted, written, (included) => requireIncludable(apiKey, included)),
    'invalid_request',
  );
  expect(refused.calls).toHaveLength(0);
  const absent = readsOf();
  await expectRefused(withFragments(absent.counted, written), 'invalid_request');
  expect(absent.calls).toHaveLength(2);
});
