import { generateApiKey } from '../../../lambdas/core/api-keys/new-key.ts';
import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { createApiKey, revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { createPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import type { Table } from '../../../lambdas/store/table.ts';
import { withWrongSecret } from '../../support/rows/api-keys.ts';
import { content } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import type { Figure } from '../figures.ts';
import { bareReads } from '../requests.ts';
import { openService } from '../service.ts';
import { ownTime } from '../statistics.ts';

const REPEATED = { warmUp: 10, rounds: 20, calls: 50 };
const MILLISECONDS = 0.75;
const NAME = 'large';
const TEMPLATE = '\n'.repeat(256 * 1024);

interface Kind {
  readonly name: string;
  readonly apiKey: string;
  readonly status: number;
  readonly body: object;
}

const keyFor = async (table: Table, input: object = {}) => {
  const key = { name: 'bench', permissions: ['prompts', 'secrets'] as const, ...input };
  const { apiKey, record } = await createApiKey(table, changeAt(), key);
  return { apiKey, keyId: record.keyId };
};

/** Rejected calls for the largest possible version. */
const kindsOf = async (table: Table): Promise<Kind[]> => {
  await createPrompt(table, changeAt(), { ...content(TEMPLATE), name: NAME });
  const { apiKey: revoked, keyId } = await keyFor(table);
  await revokeApiKey(table, changeAt(), keyId);
  const unknown = generateApiKey().apiKey;
  const body = { name: NAME, version: '1.0.0' };
  const large = { ...body, variables: { x: Array(50_000).fill([1]) } };
  return [
    { name: 'no key', apiKey: 'none', status: 401, body },
    { name: 'an unknown key', apiKey: unknown, status: 401, body },
    { name: 'an unknown key, a body of 200 KB', apiKey: unknown, status: 401, body: large },
    { name: 'a wrong key', apiKey: withWrongSecret((await keyFor(table)).keyId), status: 401, body },
    { name: 'a revoked key', apiKey: revoked, status: 401, body },
    {
      name: 'a key without the permission',
      status: 403,
      body,
      apiKey: (await keyFor(table, { permissions: ['secrets'] })).apiKey,
    },
    {
      name: 'a key for other addresses',
      status: 403,
      body,
      apiKey: (await keyFor(table, { cidrs: ['192.0.2.0/24'] })).apiKey,
    },
  ];
};

/** Printing the calls' logs to a terminal would take most of the time. */
const silently = async <T>(work: () => Promise<T>): Promise<T> => {
  const { write } = process.stdout;
  process.stdout.write = () => true;
  try {
    return await work();
  } finally {
    process.stdout.write = write;
  }
};

/** The processor time of a rejected call beyond its reads. */
export const refused = async (): Promise<Figure[]> => {
  const service = await openService();
  const deployment = await service.deploy('refused');
  const { table, keyId } = deployment;
  const figures: Figure[] = [];
  for (const { name, apiKey, status, body } of await kindsOf(table)) {
    const call = await deployment.container('prompt-get-compiled', { apiKey, status });
    // A call without a key reads nothing; one with a large body reads only the key.
    const read = await bareReads(deployment, keyId, 'variables' in body ? undefined : promptIdOf(NAME));
    // This includes creating the event, which Lambda does otherwise.
    const bare = async () => {
      JSON.stringify(body);
      if (name !== 'no key') await read();
    };
    const work = [() => call(body), bare] as const;
    figures.push(await silently(() => ownTime(`refused: ${name}`, work, MILLISECONDS, REPEATED)));
  }
  await service.stop();
  return figures;
};
