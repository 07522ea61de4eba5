import { connectEngine, type EngineReply } from '../engine/calls.ts';
import { type Denial, denialOf, type GuardedFunction, type GuardedResources } from '../iam/guard.ts';
import { COGNITO_SERVICE } from '../iam/requests.ts';
import type { Cognito } from './cognito.ts';
import type { EventBridge } from './events.ts';
import type { Kms } from './kms.ts';
import type { Lambda, LambdaCall } from './lambda.ts';
import { type AwsReply, awsFailure } from './reply.ts';
import { type S3, type S3Reply, type S3Request, s3CallOf, s3Failure } from './s3.ts';

/** A call that was allowed. */
export interface AwsCall {
  /** Undefined for the runner itself. */
  readonly operationId: string | undefined;
  /** Such as `DynamoDB_20120810.GetItem`. */
  readonly target: string;
  /** The body, parsed. */
  readonly body: unknown;
}

export interface Consumption {
  readonly operationId: string | undefined;
  /** Such as `GetItem`. */
  readonly operation: string;
  /** Capacity units, over all parts of the call. */
  readonly units: number;
  /** The body of the call, parsed. */
  readonly body: unknown;
}

export interface AwsServiceOptions {
  readonly engineEndpoint: string;
  readonly kms: Kms;
  readonly cognito: Cognito;
  readonly eventBridge: EventBridge;
  readonly s3: S3;
  readonly lambda: Lambda;
  readonly resources: GuardedResources;
  readonly onDenied: (denial: Denial) => void;
  /** Answers a call instead of the engine or KMS, to simulate faults that they do not produce. */
  readonly intercept?: (call: AwsCall) => AwsReply | undefined;
  /** Called before each call of DynamoDB and KMS, which waits for it. */
  readonly before?: (call: AwsCall) => Promise<void> | undefined;
  /** Called with the capacity that each call of DynamoDB consumed. */
  readonly onConsumed?: (consumption: Consumption) => void;
  /** Called after each call that has changed the table. */
  readonly onWritten?: (operationId: string | undefined) => void;
}

export type Reply = AwsReply | EngineReply | S3Reply;

const KMS_SERVICE = 'TrentService.';
const EVENTS_SERVICE = 'AWSEvents.';
const CONSUMING = /\.(Batch|Transact)?(Get|Put|Update|Delete|Write)Items?$|\.(Query|Scan)$/;

const unitsOf = ({ body }: EngineReply): number => {
  const { ConsumedCapacity = [] } = JSON.parse(body.toString()) as {
    ConsumedCapacity?: { CapacityUnits?: number } | { CapacityUnits?: number }[];
  };
  return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
};

const WRITING = /\.(Put|Update|Delete|(Batch|Transact)Write)Items?$/;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isKms = (target: string): boolean => target.startsWith(KMS_SERVICE);

/** A failure of the service that a target names. */
export const refusal = (target: string, type: string, message: string): AwsReply =>
  awsFailure(isKms(target) ? type : `com.amazonaws.dynamodb.v20120810#${type}`, message);

/**
 * Everything after the signature check: the policies of the function (none for the runner), interception, then the
 * engine or the local stand-in. `answer` rejects if the engine cannot be reached.
 */
export const createServices = (options: AwsServiceOptions) => {
  const { engineEndpoint, kms, cognito, eventBridge, s3, lambda, resources, ...hooks } = options;
  const { onDenied, before, intercept, onConsumed, onWritten } = hooks;
  const engine = connectEngine(engineEndpoint);

  const callEngine = async ({ operationId, target, body }: AwsCall, raw: Buffer): Promise<Reply> => {
    if (onConsumed === undefined || !CONSUMING.test(target)) return engine.call(target, raw);
    const counting = { ReturnConsumedCapacity: 'TOTAL', ...(body as object) };
    const reply = await engine.call(target, JSON.stringify(counting));
    if (reply.status === 200)
      onConsumed({ operationId, operation: target.split('.')[1] ?? '', units: unitsOf(reply), body });
    return reply;
  };

  const answerAllowed = (call: AwsCall, raw: Buffer): Reply | Promise<Reply> => {
    const { target, body } = call;
    if (isKms(target)) return kms(target, raw.toString());
    const [service, operation = ''] = target.split('.');
    if (service === COGNITO_SERVICE) return cognito(operation, body);
    return target.startsWith(EVENTS_SERVICE) ? eventBridge(target, body) : callEngine(call, raw);
  };

  const answer = async (fn: GuardedFunction | undefined, target: string, raw: Buffer): Promise<Reply> => {
    const body = parse(raw.toString());
    if (body === undefined) return refusal(target, 'SerializationException', 'The body is not JSON.');
    const denial = fn && denialOf(fn, resources, target, body);
    if (denial !== undefined) {
      onDenied(denial);
      return refusal(target, 'AccessDeniedException', denial.message);
    }
    const call = { operationId: fn?.operationId, target, body };
    await before?.(call);
    const reply = intercept?.(call) ?? (await answerAllowed(call, raw));
    if (reply.status === 200 && WRITING.test(target)) onWritten?.(call.operationId);
    return reply;
  };

  const answerS3 = (fn: GuardedFunction | undefined, request: S3Request): Reply => {
    const body = s3CallOf(request);
    if (body === undefined) return s3Failure(501, 'NotImplemented');
    const target = `S3.${body.action}`;
    const denial = fn && denialOf(fn, resources, target, body);
    if (denial !== undefined) {
      onDenied(denial);
      return s3Failure(403, 'AccessDenied');
    }
    return intercept?.({ operationId: fn?.operationId, target, body }) ?? s3(body, request.body);
  };

  const answerLambda = (fn: GuardedFunction | undefined, call: LambdaCall, raw: Buffer): Reply => {
    const target = `Lambda.${call.action}`;
    const denial = fn && denialOf(fn, resources, target, call);
    if (denial !== undefined) {
      onDenied(denial);
      return awsFailure('AccessDeniedException', denial.message);
    }
    return intercept?.({ operationId: fn?.operationId, target, body: call }) ?? lambda.answer(call, raw);
  };

  return { answer, answerS3, answerLambda, stop: engine.stop };
};
