import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { isRead } from '../../contract/endpoint.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { COMMANDS } from '../../contract/functions/commands.ts';
import { CONSUMERS } from '../../contract/functions/consumers.ts';
import { JOBS } from '../../contract/functions/jobs.ts';
import { COMPANY_PRE_TOKEN, PRE_SIGN_UP } from '../../contract/functions/triggers.ts';
import { type Bundles, bundleOf } from '../assembly/assembly.ts';
import { REGION } from '../aws/account.ts';
import type { AwsEndpoint } from '../aws/endpoint.ts';
import { SIGNATURE } from '../engine/calls.ts';
import { denialOf, type Permissions } from './accesses.ts';
import type { EngineAddress, Notice } from './direct-calls.ts';
import { environmentOf, type LocalDefinition, permissionsOf, type Verifying } from './grants.ts';

/** Lambda's limit on a function's reply, in bytes. A reply must be smaller. */
const REPLY_LIMIT = 6_291_556;

/** A thread without calls for this long ends, as Lambda ends containers. */
const IDLE_SECONDS = 600;

/** A thread allocates little between two collections: by default, each would grow to 48 MB before the first. */
const YOUNG_MB = 12;

/** What the code of a function knows of itself. */
export interface FunctionSettings {
  readonly operationId: string;
  /** Path of the bundle. */
  readonly bundle: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly permissions: Permissions;
}

export interface ThreadSettings {
  readonly functions: readonly (FunctionSettings & { readonly timeoutSeconds: number })[];
  /** Of its heap. */
  readonly memoryMb: number;
  /** How long it lives without calls. */
  readonly idleSeconds: number;
  /** Where its functions call the engine. @default - at the endpoint that their environment names */
  readonly engine?: EngineAddress | undefined;
}

/** Receive what functions log, and what their thread tells about their calls. */
export interface Listeners {
  readonly onLog: (line: string) => void;
  readonly onNotice: (operationId: string, notice: Notice) => void;
}

/** The result of an invocation: the function's reply as Lambda would return it, or its failure. */
export type Outcome = { readonly reply: unknown } | { readonly failure: string };

export interface LocalFunction {
  readonly invoke: (event: unknown) => Promise<Outcome>;
}

interface Thread {
  /** By operation id. */
  readonly functions: ReadonlyMap<string, LocalFunction>;
  readonly stop: () => Promise<void>;
}

interface Pending {
  readonly operationId: string;
  readonly resolve: (outcome: Outcome) => void;
  readonly timer: NodeJS.Timeout;
}

/** What the worker starts with. */
export interface WorkerData extends Pick<ThreadSettings, 'engine'> {
  readonly functions: readonly FunctionSettings[];
  /** Folder for compiled code. */
  readonly compileCache: string | undefined;
}

/** What a function's calls tell. */
export interface WorkerNotice {
  readonly operationId: string;
  readonly notice: Notice;
}

/** What the worker is sent: the event as JSON text, as in Lambda, which is also quicker to send than an object. */
export interface WorkerCall {
  readonly id: string;
  readonly operationId: string;
  readonly event: string;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

/** An answer of the worker: the reply as JSON text, as in Lambda. */
export interface WorkerAnswer {
  readonly id: string;
  readonly json?: string;
  readonly failure?: string;
}

const outcomeOf = ({ json, failure }: WorkerAnswer): Outcome => {
  if (failure !== undefined) return { failure };
  const text = json ?? 'null';
  return Buffer.byteLength(text) >= REPLY_LIMIT
    ? { failure: 'Response payload size exceeded maximum allowed payload size.' }
    : { reply: JSON.parse(text) as unknown };
};

const startWorker = ({ functions, memoryMb, engine }: ThreadSettings, onLog: Listeners['onLog']): Worker => {
  // Node reads this variable only for the first thread.
  const workerData: WorkerData = { functions, engine, compileCache: process.env.NODE_COMPILE_CACHE };
  const worker = new Worker(new URL('./worker.mjs', import.meta.url), {
    workerData,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MB },
    stdout: true,
    stderr: true,
  });
  for (const stream of [worker.stdout, worker.stderr]) stream.on('data', (chunk) => onLog(String(chunk)));
  return worker;
};

/**
 * Functions that run in one thread: each has its bundle, the environment from the stack and nothing of this process's
 * environment. The first call starts the thread. If it crashes, its calls fail and the next call restarts it.
 */
export const createThread = (settings: ThreadSettings, { onLog, onNotice }: Listeners): Thread => {
  const pending = new Map<string, Pending>();
  // What happens in one turn of the event loop is one message: each wakes the other thread.
  const calls: WorkerCall[] = [];
  let worker: Worker | undefined;

  const settle = (id: string, outcome: Outcome): void => {
    const call = pending.get(id);
    if (call === undefined) return;
    pending.delete(id);
    clearTimeout(call.timer);
    idle.refresh();
    call.resolve(outcome);
  };
  const failAll = (failure: string): void => {
    worker = undefined;
    for (const id of [...pending.keys()]) settle(id, { failure });
  };
  const running = (): Worker => {
    if (worker !== undefined) return worker;
    const started = startWorker(settings, onLog);
    worker = started;
    const ended = (failure: string): void => {
      if (worker === started) failAll(failure);
    };
    started.on('message', (message: readonly WorkerAnswer[] | WorkerNotice) => {
      if ('notice' in message) onNotice(message.operationId, message.notice);
      else for (const answer of message) settle(answer.id, outcomeOf(answer));
    });
    started.on('error', (error: Error) => {
      const called = new Set([...pending.values()].map(({ operationId }) => operationId));
      onLog(
        `A thread ended during calls of ${[...called].join(', ') || 'no function'}: ${error.stack ?? error.message}\n`,
      );
      ended('The function ended with an error.');
    });
    started.on('exit', () => ended('The function has ended.'));
    return started;
  };
  const idle = setTimeout(() => {
    if (pending.size > 0) return void idle.refresh();
    void worker?.terminate();
    worker = undefined;
  }, settings.idleSeconds * 1_000).unref();
  const send = (): void => {
    if (calls.length > 0) running().postMessage(calls.splice(0));
  };
  const invoke = (operationId: string, timeoutMs: number, event: unknown): Promise<Outcome> =>
    new Promise((resolve) => {
      const id = randomUUID();
      const timer = setTimeout(() => settle(id, { failure: 'Task timed out.' }), timeoutMs);
      pending.set(id, { operationId, resolve, timer });
      calls.push({ id, operationId, event: JSON.stringify(event), deadline: Date.now() + timeoutMs });
      if (calls.length === 1) setImmediate(send);
    });

  return {
    functions: new Map(
      settings.functions.map(({ operationId, timeoutSeconds }) => [
        operationId,
        { invoke: (event) => invoke(operationId, timeoutSeconds * 1_000, event) },
      ]),
    ),
    stop: async () => {
      calls.splice(0);
      await worker?.terminate();
      failAll('The function has ended.');
    },
  };
};

/** What a call of a function shows to a test: its target and its body. */
export type OnCall = (operationId: string, target: string, body: unknown) => void;

export interface FunctionsOptions {
  readonly aws: AwsEndpoint;
  readonly verifying: Verifying;
  /** Address of the engine, which the functions call directly. @default - they call it by `aws` */
  readonly engine: string | undefined;
  readonly bundles: Bundles;
  readonly onLog: (line: string) => void;
  /** Called after writes, at least once in 50 milliseconds. */
  readonly onWritten: (operationId: string) => void;
  /** Called with the first direct call of each kind. */
  readonly onCall?: OnCall | undefined;
}

/**
 * The functions that share a thread. What they have in common is loaded, and warm, once in each: their first calls take a
 * fraction of the time. What applications wait for has threads of its own.
 */
const THREADS: readonly (readonly LocalDefinition[])[] = [
  ...ENDPOINTS.filter(isRead).map((fn) => [fn]),
  ENDPOINTS.filter((fn) => !isRead(fn)),
  [...JOBS, ...COMMANDS, ...CONSUMERS, COMPANY_PRE_TOKEN, PRE_SIGN_UP],
];

/** The functions of the contract that run here. Those that deployments invoke do not. */
export const FUNCTIONS = THREADS.flat();

/** What each function may do, by its operation id. */
export const PERMISSIONS: Readonly<Record<string, Permissions>> = Object.fromEntries(
  FUNCTIONS.map(({ id, grants }) => [id, permissionsOf(grants)]),
);

const addressOf = (engine: string): EngineAddress => {
  const { hostname: host, port } = new URL(engine);
  return { host, port, headers: SIGNATURE };
};

/** Each function by its operation id, with its own credentials for the endpoint, and how to stop all. */
export const createFunctions = ({
  aws,
  verifying,
  engine,
  bundles,
  onLog,
  onWritten,
  onCall,
}: FunctionsOptions): Thread => {
  const settingsOf = (fn: LocalDefinition) => {
    const { id, timeoutSeconds } = fn;
    const { accessKeyId, secretAccessKey } = aws.credentialsOf(id);
    const environment = {
      ...environmentOf(fn, verifying),
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_ENDPOINT_URL: aws.url,
      AWS_LAMBDA_FUNCTION_NAME: id,
      AWS_REGION: REGION,
      NODE_ENV: 'production',
      ...(engine !== undefined && { CUEVAULT_UNSIGNED: 'dynamodb' }),
    };
    const permissions = PERMISSIONS[id] ?? {};
    return { operationId: id, bundle: bundleOf(id, bundles), environment, permissions, timeoutSeconds };
  };
  const onNotice: Listeners['onNotice'] = (id, notice) => {
    if ('denied' in notice) onLog(`${denialOf(id, notice.denied)}\n`);
    else if ('wrote' in notice) onWritten(id);
    else onCall?.(id, notice.target, notice.body);
  };
  const threads = THREADS.map((functions) =>
    createThread(
      {
        functions: functions.map(settingsOf),
        memoryMb: Math.max(...functions.map(({ memoryMb }) => memoryMb)),
        idleSeconds: IDLE_SECONDS,
        engine: engine === undefined ? undefined : addressOf(engine),
      },
      { onLog, onNotice },
    ),
  );
  return {
    functions: new Map(threads.flatMap(({ functions }) => [...functions])),
    stop: async () => {
      await Promise.all(threads.map(({ stop }) => stop()));
    },
  };
};

/** Invokes a function by its operation id. */
export const invokeWith =
  (functions: ReadonlyMap<string, LocalFunction>) =>
  async (operationId: string, event: unknown): Promise<Outcome> =>
    (await functions.get(operationId)?.invoke(event)) ?? { failure: `There is no function ${operationId}.` };
