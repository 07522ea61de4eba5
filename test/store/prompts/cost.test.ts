import { LIMITS } from '../../../contract/limits.ts';
import { requireIncludable } from '../../../lambdas/core/api-keys/publishing.ts';
import type { ApiKey } from '../../../lambdas/core/api-keys/rules.ts';
import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { withFragments } from '../../../lambdas/store/prompts/fragments.ts';
import { headKey } from '../../../lambdas/store/prompts/head.ts';
import { createPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { exportLatest } from '../../../lambdas/store/prompts/listing.ts';
import type { PromptQuery } from '../../../lambdas/store/prompts/reader.ts';
import { versionKey } from '../../../lambdas/store/prompts/versions.ts';
import { getItem } from '../../../lambdas/store/table.ts';
import { beforeEachCall, metered } from '../../support/aws/intercept.ts';
import { content, failure, promptFinder } from '../../support/rows/prompts.ts';
import { addItems, changeAt, table, withTestTable } from '../../support/rows/table.ts';
import { scaled } from '../../support/sampled.ts';

withTestTable();

const unitsOf = async (query: PromptQuery): Promise<[cold: number, warm: number]> => {
  const meter = metered(table);
  const find = promptFinder(meter.table);
  await find(query);
  const cold = meter.units();
  await find(query);
  return [cold, meter.units() - cold];
};

// A read of one version or prompt more takes half a unit or more.
const VERSIONS = scaled(5_000, 500);
const PROMPTS = scaled(20_000, 1_000);

test(`a fetch costs the same at 1 and ${VERSIONS} versions, and at 1 and ${PROMPTS} prompts`, async () => {
  const { promptId, name } = await createPrompt(table, changeAt(), { ...content('Hello'), name: 'measured' });
  const queries = [{ name }, { promptId }, { name, version: '1.0.0' }];
  const before = await Promise.all(queries.map(unitsOf));
  expect(before[0]).toEqual([2, 1]);

  const version = (await getItem(table, versionKey(promptId, '1.0.0'))) ?? {};
  const versions = Array.from({ length: VERSIONS - 1 }, (_, i) => `0.0.${i + 1}`);
  await addItems(
    table,
    versions.map((number) => ({ ...version, ...versionKey(promptId, number), version: number })),
  );
  const head = (await getItem(table, headKey(promptId))) ?? {};
  const names = Array.from({ length: PROMPTS - 1 }, (_, i) => `prompt ${i}`);
  await addItems(
    table,
    names.map((other) => ({
      ...head,
      ...headKey(promptIdOf(other)),
      promptId: promptIdOf(other),
      gsi1sk: other,
    })),
  );

  expect(await Promise.all(queries.map(unitsOf))).toEqual(before);
});

/** How many rows a table has read since. */
const readsOf = () => {
  let reads = 0;
  const counting = beforeEachCall(table, (operation) => {
    if (operation === 'GetCommand') reads++;
  });
  return { table: counting, reads: () => reads };
};

test('an export reads head and version of each prompt up to the first that does not fit or exist, and none after it', async () => {
  const large = 'x'.repeat(LIMITS.templateBytes);
  const names = Array.from({ length: LIMITS.exportedPrompts }, (_, i) => `exported ${i}`);
  for (const name of names) await createPrompt(table, changeAt(), { ...content(large), name });
  const page = readsOf();
  const found = await exportLatest(page.table, changeAt(), names);
  expect(found.length).toBeLessThan(names.length);
  expect(page.reads()).toBe(2 * (found.length + 1));
  const absent = readsOf();
  await expect(exportLatest(absent.table, changeAt(), ['none', ...names.slice(1)])).rejects.toMatchObject(
    failure('prompt_not_found'),
  );
  expect(absent.reads()).toBe(1);
});

test('includes that a key may not see cost no read, and those after one that does not exist neither', async () => {
  const names = Array.from({ length: LIMITS.includes }, (_, i) => `fragment ${i}`);
  const includes = names.map((name) => ({ name, version: '1.0.0', contentHash: '' }));
  const written = { ...content('x'), includes };
  const refused = readsOf();
  const apiKey = { prompts: ['mine/*'] as readonly string[], permissions: ['publish'] } as unknown as ApiKey;
  await expect(
    withFragments(refused.table, written, (included) => requireIncludable(apiKey, included)),
  ).rejects.toMatchObject(failure('invalid_request'));
  expect(refused.reads()).toBe(0);
  const absent = readsOf();
  await expect(withFragments(absent.table, written)).rejects.toMatchObject(failure('invalid_request'));
  expect(absent.reads()).toBe(2);
});
