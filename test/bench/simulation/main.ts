// npm run simulate: what saturates first as the rate of one prompt with one API key, or of one vault, grows; and when a
// change is seen during that load.

import { DEFAULT_SETTINGS } from '../../../contract/functions/environment.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { runWithArguments } from '../../../scripts/aws/command.ts';
import { type HotCall, recordHotCalls } from '../hot-calls.ts';
import { type Limits, type Outcome, simulate } from './model.ts';

const SECRETS = 50;
/** How long an instance works on a call, in milliseconds: `npm run bench -- cost` models it. */
const CALL_MS = 20;

/** Quotas of a new account in a large region, without the stack's default throttle. */
const DEFAULTS: Limits = {
  readUnits: 3_000,
  writeUnits: 1_000,
  tableUnits: 40_000,
  concurrency: 1_000,
  growth: 1_000,
  gateway: 10_000,
};
/** The same with quotas raised for 50,000 calls a second. */
const RAISED: Limits = { ...DEFAULTS, tableUnits: 200_000, concurrency: 5_000, gateway: 60_000 };

const SCENARIOS = [
  { perSecond: 2_000, rampSeconds: 10, quotas: 'default quotas', limits: DEFAULTS },
  { perSecond: 5_000, rampSeconds: 10, quotas: 'default quotas', limits: DEFAULTS },
  { perSecond: 20_000, rampSeconds: 20, quotas: 'default quotas', limits: DEFAULTS },
  { perSecond: 50_000, rampSeconds: 30, quotas: 'raised quotas', limits: RAISED },
] as const;

const percent = (part: number, all: number): string => `${((100 * part) / Math.max(1, all)).toFixed(3)} %`;

const seenAfter = (lateMs: Outcome['lateMs'], isKey: boolean): string => {
  const late = [...lateMs].filter(([pk]) => pk.startsWith(PARTITIONS.apiKey) === isKey).map(([, ms]) => ms);
  return late.length === 0 ? 'at once' : `${Math.max(...late)} ms`;
};

const describe = ({ calls, refusedBy, oldestMs, lateMs, instances }: Outcome): string => {
  const refused = [...refusedBy].sort((a, b) => b[1] - a[1]);
  const total = refused.reduce((sum, [, count]) => sum + count, 0);
  const first = refused[0]?.[0] ?? 'nothing';
  const seen = `${seenAfter(lateMs, false)} | ${seenAfter(lateMs, true)}`;
  return `${percent(total, calls)} | ${first} | ${oldestMs} ms | ${seen} | ${instances}`;
};

const row = (
  name: string,
  call: HotCall,
  scenario: (typeof SCENARIOS)[number],
  protects: boolean,
): string => {
  const outcome = simulate({
    ...scenario,
    call,
    protects,
    callMs: CALL_MS,
    seconds: 5,
    shards: DEFAULT_SETTINGS.shards,
  });
  const what = protects ? 'as deployed' : 'without recent rows and more shards';
  return `| ${name} | ${scenario.perSecond} | ${scenario.quotas} | ${what} | ${describe(outcome)} |`;
};

const USAGE = `Usage: npm run simulate

Prints what saturates first as the rate of calls grows.`;

const HEAD = `| call | a second | limits | store | refused | first to saturate | oldest row used | publish seen after | revocation seen after | instances |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |`;

await runWithArguments({ usage: USAGE, options: {} }, async () => {
  const { prompt, secrets } = await recordHotCalls(SECRETS);
  console.log(HEAD);
  for (const [name, call] of Object.entries({ 'a prompt': prompt, [`${SECRETS} secrets`]: secrets }))
    for (const scenario of SCENARIOS)
      for (const protects of [false, true]) console.log(row(name, call, scenario, protects));
  return undefined;
});
// Open connections of the functions would keep the process alive.
process.exit();
