/** What the entry point of a runtime provides for the client; `workers.ts` sets it. */
export const platform: {
  /** Environment variables, in addition to `process.env`. */
  environment?: Readonly<Record<string, unknown>>;
  /** Keeps the runtime alive until the promise settles. */
  waitUntil?: (promise: Promise<unknown>) => void;
} = {};

/**
 * Whether a request can wait for the connection of another one. In Workers it cannot: a promise that waits for input or
 * output dies with the request that made it.
 */
export const canShareConnections = (): boolean =>
  (globalThis as { navigator?: { userAgent?: string } }).navigator?.userAgent !== 'Cloudflare-Workers';

/** Whether the runtime stops between calls: a Lambda function is frozen when it has answered. */
export const isFreezing = (): boolean => environmentVariable('AWS_LAMBDA_FUNCTION_NAME') !== undefined;

interface Process {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly getBuiltinModule?: (name: string) => unknown;
  readonly emitWarning?: (warning: string) => void;
}

const runtime = () => (globalThis as { process?: Process }).process;

/** A module of Node.js, undefined in a runtime without it. Not an import: bundlers for browsers would reject it. */
export const builtin = <Module>(name: string): Module | undefined =>
  runtime()?.getBuiltinModule?.(name) as Module | undefined;

/** A variable of the environment, undefined when it is empty. Workers have no `process`. */
export const environmentVariable = (name: string): string | undefined => {
  const value = runtime()?.env?.[name] ?? platform.environment?.[name];
  return typeof value === 'string' ? value || undefined : undefined;
};

/** A warning of the process, where there is one. */
export const warn = (sentence: string): void => runtime()?.emitWarning?.(sentence);
