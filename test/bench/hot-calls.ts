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

/** One read or write of the table, as the functions make it. */
export interface TableAccess {
  readonly isWrite: boolean;
  /** Partition key. */
  readonly pk: string;
  /** Capacity units. */
  readonly units: number;
}

/** What a call of a read endpoint does, recorded from the real function on the embedded engine. */
export interface HotCall {
  readonly id: string;
  readonly memoryMb: number;
  /** Of a warm container. */
  readonly warm: readonly TableAccess[];
  /** Of the first call of a container. */
  readonly cold: readonly TableAccess[];
  readonly logBytes: number;
  /** Write units of the consumers of the stream for one batch with calls of one key for one prompt or one filter. */
  readonly batchWriteUnits: number;
  /** Length of the new item of the entry, as JSON. */
  readonly entryBytes: number;
}

const CONSUMER_IDS = CONSUMERS.map(({ id }) => id);

/** The capacity units of reads, or of writes. */
export const unitsOf = (accesses: readonly TableAccess[], isWrite: boolean): number =>
  accesses.filter((each) => each.isWrite === isWrite).reduce((sum, { units }) => sum + units, 0);

interface Keyed {
  readonly pk: { readonly S: string };
}

interface Rows {
  readonly Key?: Keyed;
  readonly Item?: Keyed;
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Keyed[] }>>;
}

const accessesOf = (consumed: readonly Consumption[], ids: readonly string[]): TableAccess[] =>
  consumed
    .filter(({ operationId = '' }) => ids.includes(operationId))
    .flatMap(({ operation, units, body }) => {
      const { Key, Item, RequestItems = {} } = body as Rows;
      const isWrite = /Put|Update|Delete|Write/.test(operation);
      const one = Key ?? Item;
      const rows = one === undefined ? Object.values(RequestItems).flatMap(({ Keys }) => Keys) : [one];
      // The rows of a batch have about the same size.
      return rows.map(({ pk }) => ({ isWrite, units: units / rows.length, pk: pk.S }));
    });

/** What a run of `audit-seal` does that finds no entries, recorded from the real function. */
export interface SealRun {
  readonly reads: number;
  readonly writes: number;
  /** Calls by service and operation, such as `S3.PutObject`. */
  readonly calls: Readonly<Record<string, number>>;
}

export interface Recorded {
  readonly prompt: HotCall;
  readonly secrets: HotCall;
  readonly seal: SealRun;
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
  const accesses = consumed.filter(({ operationId }) => operationId === 'audit-seal');
  const isWrite = ({ operation }: Consumption): boolean => operation === 'PutItem';
  const sum = (some: readonly Consumption[]): number => some.reduce((units, each) => units + each.units, 0);
  if (!targets.includes('S3.PutObject')) throw new Error('audit-seal has added no object.');
  const calls = Object.entries(Object.groupBy(targets, (target) => target));
  return {
    reads: sum(accesses.filter((each) => !isWrite(each))),
    writes: sum(accesses.filter(isWrite)),
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
  const during = async (work: () => Promise<unknown>, ids: readonly string[]): Promise<TableAccess[]> => {
    consumed.length = 0;
    await work();
    return accessesOf(consumed, ids);
  };
  const cold = await during(call, [id]);
  await instance.settled();
  const logged = instance.logs.join('').length;
  const warm = await during(call, [id]);
  const [entry] = consumed.flatMap(({ body }) => (body as Rows).Item ?? []);
  const many = await during(async () => {
    for (let i = 1; i < CALLS; i++) await call();
  }, [id]);
  if (many.length !== warm.length * (CALLS - 1)) throw new Error(`The calls of ${id} are not alike.`);
  const logBytes = (instance.logs.join('').length - logged) / CALLS;
  await instance.settled();
  const batch = await during(async () => {
    await call();
    await instance.settled();
  }, CONSUMER_IDS);
  const entryBytes = JSON.stringify(entry).length;
  return {
    id,
    memoryMb,
    warm,
    cold,
    logBytes,
    entryBytes,
    batchWriteUnits: unitsOf(batch, true),
  };
};

/** Records a compiled fetch of a prompt, a fetch of all secrets of a vault with that many, and a run of `audit-seal`. */
export const recordHotCalls = async (secrets: number): Promise<Recorded> => {
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
