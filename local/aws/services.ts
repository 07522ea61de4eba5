import { randomUUID } from 'node:crypto';
import { connectEngine, type EngineReply } from '../engine/calls.ts';
import { type Access, judge, type Permissions, TARGETS } from '../functions/accesses.ts';
import { WRITING } from '../functions/direct-calls.ts';
import type { CloudWatch } from './cloudwatch.ts';
import type { Cognito } from './cognito.ts';
import type { Kms } from './kms.ts';
import type { Lambda, LambdaInput } from './lambda.ts';
import { type AwsReply, awsFailure, awsReply, unsupported } from './reply.ts';
import { type S3, type S3Input, type S3Reply, s3Failure } from './s3.ts';

/** The stand-in for EventBridge. */
export type EventBridge = (target: string, body: unknown) => AwsReply;

interface Entry {
  readonly Detail?: unknown;
}

/** Answers `PutEvents`, and passes on the JSON of each event. */
export const createEventBridge =
  (onEvent: (event: string) => void): EventBridge =>
  (target, body) => {
    if (target !== 'AWSEvents.PutEvents') return unsupported();
    const { Entries = [] } = body as { Entries?: readonly Entry[] };
    for (const { Detail } of Entries) onEvent(String(Detail));
    return awsReply({ FailedEntryCount: 0, Entries: Entries.map(() => ({ EventId: randomUUID() })) });
  };

/** A function that makes calls. */
export interface Caller {
  readonly operationId: string;
  readonly permissions: Permissions;
}

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
  /** Called with each call for which a function has no grant. */
  readonly onDenied: (operationId: string, access: Access) => void;
  /** Called with each call of a function that its grants allow. */
  readonly onCall?: (operationId: string, target: string, body: unknown) => void;
  /** Answers a call instead of the engine or KMS, to simulate faults that they do not produce. */
  readonly intercept?: (call: AwsCall) => AwsReply | undefined;
  /** Called before each call, which waits for it. */
  readonly before?: (call: AwsCall) => Promise<void> | undefined;
  /** Called with the capacity that each call of DynamoDB consumed. */
  readonly onConsumed?: (consumption: Consumption) => void;
  /** Called after each call that has changed the table. */
  readonly onWritten?: (operationId: string | undefined) => void;
}

export type Reply = AwsReply | EngineReply | S3Reply;

const CONSUMING = /\.(Batch|Transact)?(Get|Put|Update|Delete|Write)Items?$|\.(Query|Scan)$/;

const unitsOf = ({ body }: EngineReply): number => {
  const { ConsumedCapacity = [] } = JSON.parse(body.toString()) as {
    ConsumedCapacity?: { CapacityUnits?: number } | { CapacityUnits?: number }[];
  };
  return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
};

/**
 * Everything after the signature check: the grants of the function (the runner may do everything), interception, then the
 * engine or the local stand-in. `answer` rejects if the engine cannot be reached.
 */
export const createServices = (options: AwsServiceOptions) => {
  const { engineEndpoint, kms, cloudWatch, cognito, eventBridge, s3, lambda, ...hooks } = options;
  const { onDenied, onCall, before, intercept, onConsumed, onWritten } = hooks;
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
    const [service, operation = ''] = target.split('.');
    switch (service) {
      case TARGETS.kms:
        return kms(target, body);
      case TARGETS.cognito:
        return cognito(operation, body);
      case TARGETS.metrics:
        return cloudWatch.answer(operation, body);
      case TARGETS.events:
        return eventBridge(target, body);
      case 'S3':
        return s3(operation, body as S3Input, raw);
      case 'Lambda':
        return lambda.answer(body as LambdaInput, raw);
      default:
        return callEngine(call, raw);
    }
  };

  const answer = async (
    caller: Caller | undefined,
    { target, body }: Omit<AwsCall, 'operationId'>,
    raw: Buffer,
  ): Promise<Reply> => {
    if (caller !== undefined) {
      const judged = judge(caller.permissions, target, body);
      if ('denied' in judged) {
        onDenied(caller.operationId, judged.denied);
        return target.startsWith('S3.')
          ? s3Failure(403, 'AccessDenied')
          : awsFailure('AccessDeniedException', 'No grant covers this call.');
      }
      onCall?.(caller.operationId, target, body);
    }
    const call = { operationId: caller?.operationId, target, body };
    await before?.(call);
    const reply = intercept?.(call) ?? (await answerAllowed(call, raw));
    if (reply.status === 200 && WRITING.test(target)) onWritten?.(caller?.operationId);
    return reply;
  };

  return { answer, stop: engine.stop };
};
