import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { headKey } from '../../../lambdas/store/prompts/head.ts';
import { createPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { createPromptReader } from '../../../lambdas/store/prompts/reader.ts';
import { versionKey } from '../../../lambdas/store/prompts/versions.ts';
import { getItem, type Table } from '../../../lambdas/store/table.ts';
import { metered } from '../../support/aws/intercept.ts';
import { content } from '../../support/rows/prompts.ts';
import { addItems, changeAt } from '../../support/rows/table.ts';
import type { Figure } from '../figures.ts';
import { inPairs } from '../pairs.ts';
import { type Deployment, openService, type Service } from '../service.ts';

const PROMPTS = 20_000;
const VERSIONS = 5_000;
const CALLS = 1_000;
const NAME = 'measured';
const QUERIES = [{ name: NAME }, { name: NAME, version: '1.0.0' }];

const open = async (service: Service, tableName: string): Promise<Deployment> => {
  const deployment = await service.deploy(tableName);
  await createPrompt(deployment.table, changeAt(), { ...content('Hello {{user}}'), name: NAME });
  return deployment;
};

const addVersions = async (table: Table): Promise<void> => {
  const promptId = promptIdOf(NAME);
  const first = await getItem(table, versionKey(promptId, '1.0.0'));
  const numbers = Array.from({ length: VERSIONS - 1 }, (_, i) => `0.${i}.0`);
  await addItems(
    table,
    numbers.map((version) => ({ ...first, ...versionKey(promptId, version), version })),
  );
};

const addPrompts = async (table: Table): Promise<void> => {
  const first = await getItem(table, headKey(promptIdOf(NAME)));
  const names = Array.from({ length: PROMPTS - 1 }, (_, i) => `prompt ${i}`);
  await addItems(
    table,
    names.map((name) => {
      const promptId = promptIdOf(name);
      return { ...first, ...headKey(promptId), promptId, name, gsi1sk: name };
    }),
  );
};

/** Capacity units of a first fetch of the latest version, and of an exact version. */
const unitsOf = async (table: Table): Promise<number> => {
  const meter = metered(table);
  for (const query of QUERIES) await createPromptReader(meter.table).find(query);
  return meter.units();
};

const compare = async (what: string, small: Deployment, large: Deployment): Promise<Figure[]> => {
  const [few, many] = [await unitsOf(small.table), await unitsOf(large.table)];
  const getSmall = await small.container('prompt-get-compiled');
  const getLarge = await large.container('prompt-get-compiled');
  const first =
    ({ table }: Deployment) =>
    () =>
      createPromptReader(table).find({ name: NAME });
  return [
    {
      name: `read units at ${what}, difference`,
      measured: many - few,
      bound: 0,
      unit: '',
      from: `${many} - ${few}`,
    },
    await inPairs(
      `a warm call at ${what}`,
      CALLS,
      () => getLarge({ name: NAME }),
      () => getSmall({ name: NAME }),
    ),
    await inPairs(`a first retrieval at ${what}`, CALLS, first(large), first(small)),
  ];
};

/** Cost and time of a fetch in a large table, compared with a table with a single prompt. */
export const growth = async (): Promise<Figure[]> => {
  const service = await openService();
  const small = await open(service, 'small');
  const versions = await open(service, 'versions');
  const prompts = await open(service, 'prompts');
  await addVersions(versions.table);
  await addPrompts(prompts.table);
  const figures = [
    ...(await compare(`${VERSIONS} versions / 1`, small, versions)),
    ...(await compare(`${PROMPTS} prompts / 1`, small, prompts)),
  ];
  await service.stop();
  return figures;
};
