import { ENVIRONMENT } from '../contract/functions/environment.ts';
import { METRICS } from '../contract/http/errors.ts';
import { isCuevaultError } from './core/errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Writes one line of JSON to standard output, which Lambda copies to the log group. */
export const log = (level: 'info' | 'warn' | 'error', message: string, fields: Fields = {}): void => {
  // Lambda filters by `level` and `timestamp`; without both it treats a line as INFO.
  const known = { level: level.toUpperCase(), message, timestamp: new Date().toISOString() };
  process.stdout.write(`${JSON.stringify({ ...known, ...fields })}\n`);
};

/** The logged part of an error: name, message, stack, and the same of its cause. Never a request body. */
export const describeError = (error: unknown): Fields => {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, stack, cause } = error;
  return { name, message, stack, cause: cause && describeError(cause) };
};

export interface Metric {
  readonly name: string;
  readonly level: 'warn' | 'error';
  /** In addition to `Stage`. */
  readonly dimensions?: Readonly<Record<string, string>>;
  /** Further dimensions, by which it is counted once more. */
  readonly by?: Readonly<Record<string, string>>;
}

/** A metric in CloudWatch's embedded format, counted once, with fields for the log line that carries it. */
export const countMetric = (
  { name, level, dimensions = {}, by = {} }: Metric,
  message: string,
  fields: Fields,
): void => {
  const sets = Object.keys(by).length === 0 ? [dimensions] : [dimensions, by];
  const Dimensions = sets.map((set) => ['Stage', ...Object.keys(set)]);
  log(level, message, {
    ...fields,
    [name]: 1,
    Stage: process.env[ENVIRONMENT.stage],
    ...dimensions,
    ...by,
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: [{ Namespace: METRICS, Dimensions, Metrics: [{ Name: name, Unit: 'Count' }] }],
    },
  });
};

/** The handler of a job. What its work throws is logged, and raises the alarm of the job; the next run continues. */
export const job =
  <Event>(failure: string, work: (event: Event) => Promise<void>) =>
  async (event: Event): Promise<void> => {
    try {
      await work(event);
    } catch (error) {
      logFailure(failure, error);
      throw error;
    }
  };

/** Logs an error, or each of an `AggregateError`. An `IntegrityError` also counts as a metric. */
export const logFailure = (message: string, error: unknown, fields: Fields = {}): void => {
  if (error instanceof AggregateError) {
    for (const each of error.errors) logFailure(message, each, fields);
    return;
  }
  const code = isCuevaultError(error) ? error.code : 'internal';
  const described = { ...fields, code, error: describeError(error) };
  if (code === 'integrity')
    countMetric({ name: 'IntegrityFailures', level: 'error' }, 'row refused', described);
  else log('error', message, described);
};
