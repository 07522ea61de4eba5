import { parsedJson } from '../request-body.ts';
import { type AwsReply, awsFailure } from './reply.ts';

export interface LambdaInput {
  /** Name of the function. */
  readonly name: string;
  /** As in the header `x-amz-invocation-type`. */
  readonly type: string;
}

/** The path of Lambda's API that invokes a function. */
export const INVOCATION_PATH = /^\/2015-03-31\/functions\/([^/?]+)\/invocations$/;

/** Reads an invocation from a request; undefined for any other request. */
export const lambdaCallOf = (method: string, url: string, type: unknown) => {
  const [, name] = INVOCATION_PATH.exec(url) ?? [];
  if (method !== 'POST' || name === undefined) return undefined;
  const body: LambdaInput = { name: decodeURIComponent(name), type: String(type) };
  return { target: 'Lambda.InvokeFunction', body };
};

/** Lambda's error for a body that is not JSON. */
export const NOT_JSON = {
  code: 'InvalidRequestContentException',
  message: 'Could not parse request body into json.',
} as const;

/**
 * The stand-in for Lambda: runs asynchronous invocations.
 * @param invoke - Invokes a function by its name, and reports its failure itself.
 */
export const createLambda = (invoke: (name: string, event: unknown) => Promise<void>) => {
  const running = new Set<Promise<void>>();
  const start = (name: string, event: unknown): void => {
    const run = invoke(name, event).finally(() => running.delete(run));
    running.add(run);
  };
  return {
    answer: ({ name, type }: LambdaInput, body: Buffer): AwsReply => {
      if (type !== 'Event')
        return awsFailure('InvalidParameterValueException', 'Only the invocation type Event is supported.');
      const event = parsedJson(body);
      if (event === undefined) return awsFailure(NOT_JSON.code, NOT_JSON.message);
      start(name, event);
      return { status: 202, body: '' };
    },
    /** Resolves when no invocation is running. */
    settled: async () => {
      await Promise.all(running);
    },
  };
};

export type Lambda = ReturnType<typeof createLambda>;
