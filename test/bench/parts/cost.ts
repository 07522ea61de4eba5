import { CONSUMERS } from '../../../contract/functions/consumers.ts';
import { JOBS, type Job } from '../../../contract/functions/jobs.ts';
import { DEFAULT_STACK_SETTINGS } from '../../infra/stack.ts';
import { type Figure, reported } from '../figures.ts';
import { type HotCall, recordHotCalls, type SealRun } from '../hot-calls.ts';
import { pricedResources } from '../idle.ts';
import { GB, invocation, MILLION, PUBLISHED, price } from '../prices.ts';
import { processorTimes } from '../processor.ts';

const SECRETS = 50;
const MONTH_SECONDS = 30 * 86_400;
const MONTHLY_RATE = MILLION / MONTH_SECONDS;
const MONTH_MINUTES = MONTH_SECONDS / 60;
// Only AWS can measure this, so it is assumed: a call waits for the table twice, 5 ms each, and Lambda's runtime takes
// 1 ms. A core of Lambda is assumed to be as fast as one of this machine.
const WAITING_MS = 11;
/** With this memory a function has one core, with less a share of it (Lambda Developer Guide, "Configure memory"). */
const CORE_MB = 1_769;
/** Seconds that a batch of a consumer takes, and a run of a job that finds nothing to do: assumed. */
const BATCH_SECONDS = 0.3;
const JOB_SECONDS = 1;

const COUNTER = CONSUMERS.find(({ id }) => id === 'usage-count');

/** A warm call, and how long it takes. */
interface Timed extends HotCall {
  /** Processor time on this machine, in milliseconds. */
  readonly processorMs: number;
}

/** How long a warm call takes with so much memory, in seconds. */
const secondsOf = ({ processorMs }: Timed, memoryMb: number): number =>
  (WAITING_MS + processorMs * Math.max(1, CORE_MB / memoryMb)) / 1_000;

const dollarsOfCall = (call: Timed): number =>
  invocation(call.memoryMb, secondsOf(call, call.memoryMb)) +
  (price('httpApiMillionCalls') +
    call.warm.read * price('dynamoDbMillionReadUnits') +
    call.warm.written * price('dynamoDbMillionWriteUnits')) /
    MILLION +
  (call.logBytes / GB) * price('cloudWatchLogsGb');

/** Of a minute's calls, which one batch counts. */
const dollarsOfBatch = ({ batchWriteUnits }: Timed): number =>
  invocation(COUNTER?.memoryMb ?? 0, BATCH_SECONDS) +
  (batchWriteUnits * price('dynamoDbMillionWriteUnits')) / MILLION;

const callsOf = ({ calls }: SealRun, start: string): number =>
  Object.entries(calls).reduce((sum, [target, count]) => sum + (target.startsWith(start) ? count : 0), 0);

/** What a run of `audit-seal` adds to its function. S3 counts a listing as a put; reads of it cost a twelfth and are left out. */
const dollarsOfSeal = (seal: SealRun): number =>
  (callsOf(seal, 'TrentService.Sign') * price('kmsTenThousandEccSigns')) / 10_000 +
  ((callsOf(seal, 'S3.Put') + callsOf(seal, 'S3.List')) * price('s3ThousandPuts')) / 1_000 +
  (seal.read * price('dynamoDbMillionReadUnits') + seal.written * price('dynamoDbMillionWriteUnits')) /
    MILLION;

const dollarsOfJob = ({ id, memoryMb }: Job, seal: SealRun): number =>
  invocation(memoryMb, JOB_SECONDS) + (id === 'audit-seal' ? dollarsOfSeal(seal) : 0);

const jobsOfMonth = (seal: SealRun): number =>
  JOBS.reduce((sum, job) => {
    const { everyMinutes = Number.POSITIVE_INFINITY } = job;
    return sum + (MONTH_MINUTES / everyMinutes) * dollarsOfJob(job, seal);
  }, 0);

/** `audit-seal` reads each audit entry once, many with one query: dollars for one. */
const dollarsOfSealing = ({ id, entryBytes }: HotCall): number =>
  id === 'vault-get-secrets' ? ((entryBytes / 4_096) * price('dynamoDbMillionReadUnits')) / MILLION : 0;

/** Dollars for a million calls at a rate, with their share of consumers and jobs. */
const dollarsOfMillion = (call: Timed, seal: SealRun, perSecond: number): number => {
  const batches = MILLION / Math.max(1, perSecond * (COUNTER?.windowSeconds ?? 1));
  const months = MILLION / (perSecond * MONTH_SECONDS);
  const each = dollarsOfCall(call) + dollarsOfSealing(call);
  return MILLION * each + batches * dollarsOfBatch(call) + months * jobsOfMonth(seal);
};

const IDLE = [
  { name: 'without alarms by mail', settings: {}, bound: 2.6 },
  { name: 'with alarms by mail', settings: { alarmEmail: 'oncall@example.com' }, bound: 3.7 },
];

const idleFigures = (seal: SealRun): Figure[] =>
  IDLE.map(({ name, settings, bound }) => {
    const priced = pricedResources(settings);
    const parts = priced.map(({ name, count, dollars }) => `${count} ${name} ${dollars.toFixed(2)}`);
    const jobs = jobsOfMonth(seal);
    const sum = priced.reduce((total, { dollars }) => total + dollars, jobs);
    const from = `${parts.join(', ')}, jobs ${jobs.toFixed(2)}`;
    const figure = reported(`a month without calls, ${name}`, sum, 'USD', from);
    return { ...figure, bound };
  });

/** Dollars for storing the entries of a million calls until they expire, with point-in-time recovery. */
const dollarsOfStorage = ({ id, entryBytes }: HotCall): number => {
  const { accessDays, readDays } = DEFAULT_STACK_SETTINGS;
  const months = (id === 'vault-get-secrets' ? readDays : accessDays) / 30;
  const gigabytes = (MILLION * entryBytes) / GB;
  return gigabytes * months * (price('dynamoDbGbMonth') + price('dynamoDbRecoveryGbMonth'));
};

const totalFigures = (calls: Readonly<Record<keyof typeof NAMES, Timed>>, seal: SealRun): Figure[] => {
  const idle = idleFigures(seal);
  const [{ measured }] = idle as [Figure];
  const kinds = Object.entries(calls) as [keyof typeof NAMES, Timed][];
  return [
    ...idle,
    ...kinds.map(([kind, call]) => {
      const own = dollarsOfMillion(call, seal, MONTHLY_RATE) - jobsOfMonth(seal);
      const storage = dollarsOfStorage(call);
      return reported(
        `a month with a million fetches of ${NAMES[kind]}, in total`,
        measured + own + storage,
        'USD',
        `${own.toFixed(2)} for the calls, ${storage.toFixed(2)} for their entries, the rest without calls; without data transfer`,
      );
    }),
  ];
};

const RATES = [
  { rate: 'at 10 calls a second', perSecond: 10, bounds: { prompt: 2.25, secrets: 2.35 } },
  {
    rate: 'at a million a month',
    perSecond: MONTHLY_RATE,
    bounds: { prompt: 2.9, secrets: 2.95 },
  },
] as const;

const NAMES = { prompt: 'a prompt', secrets: `${SECRETS} secrets` } as const;

const sealFigures = (seal: SealRun): Figure[] => {
  const job = JOBS.find(({ id }) => id === 'audit-seal');
  if (job?.everyMinutes === undefined) throw new Error('audit-seal has no schedule.');
  const runs = MONTH_MINUTES / job.everyMinutes;
  const calls = Object.entries(seal.calls).map(([target, count]) => `${count} ${target.split('.')[1]}`);
  return [
    reported(
      'audit-seal, a month',
      runs * dollarsOfJob(job, seal),
      'USD',
      `${runs} runs; each ${calls.join(', ')}; ${seal.read} read and ${seal.written} written units`,
    ),
  ];
};

const counted = (call: Timed): string =>
  `${call.warm.read} read and ${call.warm.written} written units, ${call.logBytes} bytes of log a call; ${call.batchWriteUnits} written units a batch; prices of ${PUBLISHED}`;

/**
 * What a month without calls and a million warm calls cost, without data transfer: units, log bytes and processor
 * time are measured here, prices are in `prices.json`, and what only AWS can measure is assumed.
 */
export const cost = async (): Promise<Figure[]> => {
  const recorded = await recordHotCalls(SECRETS);
  const times = await processorTimes(SECRETS);
  const calls = {
    prompt: { ...recorded.prompt, processorMs: times.prompt },
    secrets: { ...recorded.secrets, processorMs: times.secrets },
  };
  const kinds = ['prompt', 'secrets'] as const;
  return [
    ...RATES.flatMap(({ rate, perSecond, bounds }) =>
      kinds.map((kind) => ({
        name: `a million fetches of ${NAMES[kind]} ${rate}`,
        measured: dollarsOfMillion(calls[kind], recorded.seal, perSecond),
        bound: bounds[kind],
        unit: 'USD',
        from: counted(calls[kind]),
      })),
    ),
    ...totalFigures(calls, recorded.seal),
    ...sealFigures(recorded.seal),
  ];
};
