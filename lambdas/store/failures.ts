import { setTimeout as sleep } from 'node:timers/promises';
import { timeLeft } from '../core/deadline.ts';
import { CuevaultError } from '../core/errors.ts';

const TRANSIENT = new Set([
  'InternalServerError',
  'InternalFailure',
  'KMSInternalException',
  'DependencyTimeoutException',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ServiceUnavailable',
  'ThrottlingException',
  'TimeoutError',
  'TooManyRequestsException',
  'TransactionConflictException',
  'TransactionInProgressException',
]);

const THROTTLED = 'ProvisionedThroughputExceededException';
// A transaction in progress is that of an earlier attempt, whose answer was lost.
const THROTTLING = new Set([
  THROTTLED,
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionInProgressException',
]);

/** What DynamoDB throws if a partition or the table has no throughput left. */
export const throttling = (): Error => Object.assign(new Error('Throttled.'), { name: THROTTLED });

/** Codes of errors of the network. */
export const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_)/;

const passes = (error: unknown) => {
  if (!(error instanceof Error)) return false;
  const { code, $metadata, $retryable } = error as {
    code?: string;
    $metadata?: { httpStatusCode?: number };
    $retryable?: unknown;
  };
  return (
    TRANSIENT.has(error.name) ||
    (typeof code === 'string' && NETWORK.test(code)) ||
    $retryable !== undefined ||
    ($metadata?.httpStatusCode ?? 0) >= 500
  );
};

/**
 * Maps failures of AWS services to errors of Cuevault: transient failures (throttling, network, timeouts, server
 * errors) become `unavailable`; others are rethrown unchanged.
 */
export const mapAwsError = (error: unknown): unknown =>
  passes(error)
    ? new CuevaultError('unavailable', 'An AWS service did not answer. Try again shortly.', { cause: error })
    : error;

/** Awaits a call to an AWS service and maps its failure. */
export const mapAwsErrors = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    throw mapAwsError(error);
  }
};

/** Whether a call is to be repeated later: DynamoDB throttled it, or is still busy with it. */
const isThrottled = (error: unknown): boolean =>
  error instanceof Error && (THROTTLING.has(error.name) || isThrottled(error.cause));

/** Whether a conditional write failed because its condition failed. */
export const isConditionFailure = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ConditionalCheckFailedException';

const ATTEMPTS = 7;

/**
 * Waits up to so many milliseconds (full jitter) before something is repeated. Throws its error instead after its last
 * attempt, or if the call that it belongs to would be over.
 */
export const pauseBefore = async (isLast: boolean, error: unknown, most: number): Promise<void> => {
  const pause = Math.random() * most;
  if (isLast || pause >= timeLeft()) throw error;
  await sleep(pause);
};

/**
 * Makes a call, up to seven times while DynamoDB throttles it, with pauses from 20 ms up to 320 ms; at most 0.94 s in
 * total. `onThrottled` runs before each repetition; what it returns, if anything, is the result.
 */
export const retryThrottled = async <Result>(
  call: () => Promise<Result>,
  onThrottled: () => Promise<Result | undefined> | Result | undefined = () => undefined,
): Promise<Result> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!isThrottled(error)) throw error;
      const instead = await onThrottled();
      if (instead !== undefined) return instead;
      await pauseBefore(attempt === ATTEMPTS, error, Math.min(320, 10 * 2 ** attempt));
    }
  }
};
