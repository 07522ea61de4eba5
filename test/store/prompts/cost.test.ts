import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { headKey } from '../../../lambdas/store/prompts/head.ts';
import { createPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import type { PromptQuery } from '../../../lambdas/store/prompts/reader.ts';
import { versionKey } from '../../../lambdas/store/prompts/versions.ts';
import { getItem } from '../../../lambdas/store/table.ts';
import { metered } from '../../support/aws/intercept.ts';
import { content, promptFinder } from '../../support/rows/prompts.ts';
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
