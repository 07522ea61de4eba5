import { isObject } from '../../contract/fields/patterns.ts';
import { connectEngine, type EngineReply } from '../engine/calls.ts';
import { type Denial, denialOf, type GuardedFunction, type GuardedResources } from '../iam/guard.ts';
import { COGNITO_SERVICE, METRICS_SERVICE } from '../iam/requests.ts';
import { parsedJson } from '../request-body.ts';
import type { CloudWatch } from './cloudwatch.ts';
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
  readonly cloudWatch: CloudWatch;
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

const isKms = (target: string): boolean => target.startsWith(KMS_SERVICE);

/** A failure of the service that a target names. */
export const refusal = (target: string, type: string, message: string): AwsReply =>
  awsFailure(isKms(target) ? type : `com.amazonaws.dynamodb.v20120810#${type}`, message);

/**
 * Everything after the signature check: the policies of the function (none for the runner), interception, then the
 * engine or the local stand-in. `answer` rejects if the engine cannot be reached.
 */
export const createServices = (options: AwsServiceOptions) => {
  const { engineEndpoint, kms, cloudWatch, cognito, eventBridge, s3, lambda, resources, ...hooks } = options;
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
    if (isKms(target)) return kms(target, body);
    const [service, operation = ''] = target.split('.');
    if (service === COGNITO_SERVICE) return cognito(operation, body);
    if (service === METRICS_SERVICE) return cloudWatch.answer(operation, body);
    return target.startsWith(EVENTS_SERVICE) ? eventBridge(target, body) : callEngine(call, raw);
  };

  /** Why a function may not make a call, if it may not. */
  const deniedWhy = (fn: GuardedFunction | undefined, target: string, body: unknown): string | undefined => {
    const denial = fn && denialOf(fn, resources, target, body);
    if (denial !== undefined) onDenied(denial);
    return denial?.message;
  };

  const answer = async (fn: GuardedFunction | undefined, target: string, raw: Buffer): Promise<Reply> => {
    const body = parsedJson(raw);
    if (!isObject(body)) return refusal(target, 'SerializationException', 'The body must be a JSON object.');
    const denied = deniedWhy(fn, target, body);
    if (denied !== undefined) return refusal(target, 'AccessDeniedException', denied);
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
    if (deniedWhy(fn, target, body) !== undefined) return s3Failure(403, 'AccessDenied');
    return intercept?.({ operationId: fn?.operationId, target, body }) ?? s3(body, request.body);
  };

  const answerLambda = (fn: GuardedFunction | undefined, call: LambdaCall, raw: Buffer): Reply => {
    const target = `Lambda.${call.action}`;
    const denied = deniedWhy(fn, target, call);
    if (denied !== undefined) return awsFailure('AccessDeniedException', denied);
    return intercept?.({ operationId: fn?.operationId, target, body: call }) ?? lambda.answer(call, raw);
  };

  return { answer, answerS3, answerLambda, stop: engine.stop };
};
