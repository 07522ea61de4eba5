import { readFileSync } from 'node:fs';
import { promptGetCompiled } from '../../../contract/endpoints/prompts/prompt-get-compiled.ts';
import { vaultGetSecrets } from '../../../contract/endpoints/secrets/vault-get-secrets.ts';
import { CONSUMERS } from '../../../contract/functions/consumers.ts';
import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import type { Consumption } from '../../../local/aws/services.ts';
import { openInstance, type TestInstance } from '../../support/instance.ts';
import { secretsOf } from '../../support/rows/many-secrets.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import type { Figure } from '../figures.ts';

const CALLS = 100;
const SECRETS = 50;
const MILLION = 1_000_000;
const GB = 1e9;
const MONTH_SECONDS = 30 * 86_400;
/** A warm call in Lambda, and a batch of a consumer, in seconds: assumed, because only AWS can measure it. */
const CALL_SECONDS = 0.015;
const BATCH_SECONDS = 0.3;
/** Bytes that API Gateway logs per call with the stack's format: assumed. */
const ACCESS_LOG_BYTES = 450;

const PRICES = JSON.parse(readFileSync(new URL('prices.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, number> & Record<'published' | 'region', string>
>;
const price = (name: string): number => {
  const value = PRICES[name];
  if (typeof value !== 'number') throw new Error(`prices.json has no ${name}.`);
  return value;
};

const CONSUMER_IDS = CONSUMERS.map(({ id }) => id);
const COUNTER = CONSUMERS.find(({ id }) => id === 'usage-count');

interface Counted {
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly logBytes: number;
  /** Write units of the consumers for one batch of all the calls. */
  readonly batchWriteUnits: number;
}

const unitsOf = (consumed: readonly Consumption[], isWrite: boolean): number =>
  consumed
    .filter(({ operation }) => /Put|Update|Delete|Write/.test(operation) === isWrite)
    .reduce((sum, { units }) => sum + units, 0);

/** What a warm call consumes, on average of so many, and what a batch of them does to the counters. */
const count = async (
  instance: TestInstance,
  consumed: Consumption[],
  call: () => Promise<unknown>,
): Promise<Counted> => {
  await call();
  await instance.settled();
  const logged = instance.logs.join('').length;
  consumed.length = 0;
  for (let i = 0; i < CALLS; i++) await call();
  const own = consumed.filter(({ operationId }) => !CONSUMER_IDS.includes(operationId ?? ''));
  const [readUnits, writeUnits] = [unitsOf(own, false) / CALLS, unitsOf(own, true) / CALLS];
  const logBytes = (instance.logs.join('').length - logged) / CALLS;
  await instance.settled();
  consumed.length = 0;
  await call();
  await instance.settled();
  const batch = consumed.filter(({ operationId }) => CONSUMER_IDS.includes(operationId ?? ''));
  return { readUnits, writeUnits, logBytes, batchWriteUnits: unitsOf(batch, true) };
};

/** Dollars for a million calls at a rate, of which each minute's are counted in one batch. */
const dollars = (
  { readUnits, writeUnits, logBytes, batchWriteUnits }: Counted,
  memoryMb: number,
  callsPerSecond: number,
): number => {
  const perCall =
    price('httpApiMillionCalls') +
    price('lambdaMillionInvocations') +
    (memoryMb / 1024) * CALL_SECONDS * MILLION * price('lambdaArmGbSecond') +
    readUnits * price('dynamoDbMillionReadUnits') +
    writeUnits * price('dynamoDbMillionWriteUnits') +
    (((logBytes + ACCESS_LOG_BYTES) * MILLION) / GB) * price('cloudWatchLogsGb');
  const batches = MILLION / Math.max(1, callsPerSecond * (COUNTER?.windowSeconds ?? 1));
  const perBatch =
    price('lambdaMillionInvocations') / MILLION +
    ((COUNTER?.memoryMb ?? 0) / 1024) * BATCH_SECONDS * price('lambdaArmGbSecond') +
    (batchWriteUnits * price('dynamoDbMillionWriteUnits')) / MILLION;
  return perCall + batches * perBatch;
};

const RATES: readonly [name: string, callsPerSecond: number, bounds: readonly [number, number]][] = [
  ['at 10 calls a second', 10, [2.6, 2.8]],
  ['at a million a month', MILLION / MONTH_SECONDS, [3, 3.2]],
];

/**
 * What a million warm calls cost, without storage, data transfer and fixed prices of keys: units and log bytes are
 * counted here, prices are in `prices.json`, times in Lambda and the access log are assumed.
 */
export const cost = async (): Promise<Figure[]> => {
  const consumed: Consumption[] = [];
  const instance = await openInstance({ hooks: { onConsumed: (each) => consumed.push(each) } });
  const { name } = await newPrompt(instance.table, { prompt: 'Hello {{user}}' });
  await importSecrets(instance.table, changeAt(), secretsOf(SECRETS));
  const body = { name, shouldCompile: true, variables: { user: 'Ada' } };
  const prompts = await count(instance, consumed, () => instance.post('/api/prompt/get-compiled', body));
  const secrets = await count(instance, consumed, () => instance.post('/api/vault/get-secrets', {}));
  await instance.stop();
  const what = ({ readUnits, writeUnits, logBytes, batchWriteUnits }: Counted) =>
    `${readUnits} read and ${writeUnits} written units, ${logBytes} bytes of log a call; ${batchWriteUnits} written units a batch; prices of ${PRICES.published}`;
  const figures = RATES.flatMap(([rate, perSecond, [promptBound, secretBound]]): Figure[] => [
    {
      name: `a million fetches of a prompt ${rate}`,
      measured: dollars(prompts, promptGetCompiled.memoryMb, perSecond),
      bound: promptBound,
      unit: 'USD',
      from: what(prompts),
    },
    {
      name: `a million fetches of ${SECRETS} secrets ${rate}`,
      measured: dollars(secrets, vaultGetSecrets.memoryMb, perSecond),
      bound: secretBound,
      unit: 'USD',
      from: what(secrets),
    },
  ]);
  const compared = (name: string, measured: number, from: string): Figure => ({
    ...{ name, measured, from },
    ...{ bound: Number.POSITIVE_INFINITY, unit: 'USD' },
  });
  return [
    ...figures,
    compared(
      `for comparison: Secrets Manager, a million calls and ${SECRETS} secrets for a month`,
      price('secretsManagerMillionCalls') + SECRETS * price('secretsManagerSecretMonth'),
      'one secret a call',
    ),
    compared('for comparison: Langfuse on Fargate, a month', price('fargateLangfuseMonth'), 'at any rate'),
  ];
};
