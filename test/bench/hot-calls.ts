import type { Endpoint } from '../../contract/endpoint.ts';
import { promptGetCompiled } from '../../contract/endpoints/prompts/prompt-get-compiled.ts';
import { vaultGetSecrets } from '../../contract/endpoints/secrets/vault-get-secrets.ts';
import { CONSUMERS } from '../../contract/functions/consumers.ts';
import { importSecrets } from '../../lambdas/store/secrets/import.ts';
import type { Consumption } from '../../local/aws/services.ts';
import { openInstance, type TestInstance } from '../support/instance.ts';
import { secretsOf } from '../support/rows/many-secrets.ts';
import { newPrompt } from '../support/rows/prompts.ts';
import { changeAt } from '../support/rows/table.ts';

const CALLS = 100;
const TEN_MINUTES_MS = 600_000;

/** Capacity units. */
export interface Units {
  readonly read: number;
  readonly written: number;
}

/** What a call of a read endpoint does, recorded from the real function on the embedded engine. */
export interface HotCall {
  readonly id: string;
  readonly memoryMb: number;
  /** Of a warm container. */
  readonly warm: Units;
  readonly logBytes: number;
  /** Write units of the consumers of the stream for one batch with calls of one key for one prompt or one filter. */
  readonly batchWriteUnits: number;
  /** Length of the new item of the entry, as JSON. */
  readonly entryBytes: number;
}

const CONSUMER_IDS = CONSUMERS.map(({ id }) => id);

const isWrite = ({ operation }: Consumption): boolean => /Put|Update|Delete|Write/.test(operation);

const unitsOf = (consumed: readonly Consumption[], ids: readonly string[]): Units => {
  const own = consumed.filter(({ operationId = '' }) => ids.includes(operationId));
  const sum = (some: readonly Consumption[]) => some.reduce((total, { units }) => total + units, 0);
  return { read: sum(own.filter((each) => !isWrite(each))), written: sum(own.filter(isWrite)) };
};

/** What a run of `audit-seal` does that finds no entries, recorded from the real function. */
export interface SealRun extends Units {
  /** Calls by service and operation, such as `S3.PutObject`. */
  readonly calls: Readonly<Record<string, number>>;
}

const recordSeal = async (
  instance: TestInstance,
  consumed: Consumption[],
  targets: string[],
): Promise<SealRun> => {
  const seal = async () => {
    const outcome = await instance.invoke('audit-seal', {});
    if ('failure' in outcome) throw new Error(`audit-seal failed: ${outcome.failure}`);
  };
  // The first run begins the log, with the first entry that is old enough.
  await newPrompt(instance.table, { at: new Date(Date.now() - TEN_MINUTES_MS) });
  await seal();
  consumed.length = 0;
  targets.length = 0;
  await seal();
  if (!targets.includes('S3.PutObject')) throw new Error('audit-seal has added no object.');
  const calls = Object.entries(Object.groupBy(targets, (target) => target));
  return {
    ...unitsOf(consumed, ['audit-seal']),
    calls: Object.fromEntries(calls.map(([target, { length } = []]) => [target, length])),
  };
};

const record = async (
  instance: TestInstance,
  consumed: Consumption[],
  { id, memoryMb, route }: Endpoint,
  body: object,
): Promise<HotCall> => {
  const call = () => instance.post(route?.path ?? '', body);
  const during = async (work: () => Promise<unknown>, ids: readonly string[]): Promise<Units> => {
    consumed.length = 0;
    await work();
    return unitsOf(consumed, ids);
  };
  await call();
  await instance.settled();
  const logged = instance.logs.join('').length;
  const warm = await during(call, [id]);
  const [entry] = consumed.flatMap(({ body }) => (body as { readonly Item?: object }).Item ?? []);
  const many = await during(async () => {
    for (let i = 1; i < CALLS; i++) await call();
  }, [id]);
  if (many.read !== warm.read * (CALLS - 1)) throw new Error(`The calls of ${id} are not alike.`);
  const logBytes = (instance.logs.join('').length - logged) / CALLS;
  await instance.settled();
  const batch = await during(async () => {
    await call();
    await instance.settled();
  }, CONSUMER_IDS);
  return {
    id,
    memoryMb,
    warm,
    logBytes,
    entryBytes: JSON.stringify(entry).length,
    batchWriteUnits: batch.written,
  };
};

/** Records a compiled fetch of a prompt, a fetch of all secrets of a vault with that many, and a run of `audit-seal`. */
export const recordHotCalls = async (secrets: number) => {
  const consumed: Consumption[] = [];
  const targets: string[] = [];
  const instance = await openInstance({
    hooks: {
      onConsumed: (each) => consumed.push(each),
      intercept: ({ operationId, target }) => {
        if (operationId === 'audit-seal') targets.push(target);
        return undefined;
      },
    },
  });
  try {
    const { name } = await newPrompt(instance.table, { prompt: 'Hello {{user}}' });
    await importSecrets(instance.table, changeAt(), secretsOf(secrets));
    const body = { name, shouldCompile: true, variables: { user: 'Ada' } };
    return {
      prompt: await record(instance, consumed, promptGetCompiled, body),
      secrets: await record(instance, consumed, vaultGetSecrets, {}),
      seal: await recordSeal(instance, consumed, targets),
    };
  } finally {
    await instance.stop();
  }
};
