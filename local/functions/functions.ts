import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Direct, Notice } from './direct-calls.ts';

/** Lambda's limit on a function's reply, in bytes. A reply must be smaller. */
const REPLY_LIMIT = 6_291_556;

/** A thread allocates little between two collections: by default, each would grow to 48 MB before the first. */
const YOUNG_MB = 12;

export interface FunctionSettings {
  readonly operationId: string;
  /** Path of the bundle. */
  readonly bundle: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  /** Of its heap. */
  readonly memoryMb: number;
  /** How it calls the engine. @default - by the endpoint that its environment names */
  readonly direct?: Direct | undefined;
}

/** Receive what a function logs, and what its thread tells about its calls. */
export interface Listeners {
  readonly onLog: (line: string) => void;
  readonly onNotice: (notice: Notice) => void;
}

/** The result of an invocation: the function's reply as Lambda would return it, or its failure. */
export type Outcome = { readonly reply: unknown } | { readonly failure: string };

export interface LocalFunction {
  readonly invoke: (event: unknown) => Promise<Outcome>;
  readonly stop: () => Promise<void>;
}

interface Pending {
  readonly resolve: (outcome: Outcome) => void;
  readonly timer: NodeJS.Timeout;
}

/** What the worker starts with. */
export interface WorkerData extends Pick<FunctionSettings, 'bundle' | 'direct'> {
  /** Folder for compiled code. */
  readonly compileCache: string | undefined;
}

/** What the worker is sent: the event as JSON text, as in Lambda, which is also quicker to send than an object. */
export interface WorkerCall {
  readonly id: string;
  readonly event: string;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

/** What the worker sends back: the reply as JSON text, as in Lambda. */
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

const startWorker = (
  { bundle, environment, memoryMb, direct }: FunctionSettings,
  onLog: Listeners['onLog'],
): Worker => {
  // Node reads this variable only for the first thread.
  const workerData: WorkerData = { bundle, direct, compileCache: process.env.NODE_COMPILE_CACHE };
  const worker = new Worker(new URL('./worker.mjs', import.meta.url), {
    workerData,
    env: { ...environment },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MB },
    stdout: true,
    stderr: true,
  });
  for (const stream of [worker.stdout, worker.stderr]) stream.on('data', (chunk) => onLog(String(chunk)));
  return worker;
};

/**
 * One function: its bundle in its own thread, with the environment from the stack and nothing of this process's
 * environment. Its first call starts it. If it crashes, its calls fail and the next call restarts it.
 */
export const createFunction = (settings: FunctionSettings, { onLog, onNotice }: Listeners): LocalFunction => {
  const pending = new Map<string, Pending>();
  let worker: Worker | undefined;

  const settle = (id: string, outcome: Outcome): void => {
    const call = pending.get(id);
    if (call === undefined) return;
    pending.delete(id);
    clearTimeout(call.timer);
    call.resolve(outcome);
  };
  const failAll = (failure: string): void => {
    worker = undefined;
    for (const id of [...pending.keys()]) settle(id, { failure });
  };
  const running = (): Worker => {
    if (worker !== undefined) return worker;
    worker = startWorker(settings, onLog);
    worker.on('message', (message: WorkerAnswer | { readonly notice: Notice }) => {
      if ('notice' in message) onNotice(message.notice);
      else settle(message.id, outcomeOf(message));
    });
    worker.on('error', (error: Error) => {
      onLog(`${settings.operationId}: ${error.stack ?? error.message}\n`);
      failAll('The function ended with an error.');
    });
    worker.on('exit', () => failAll('The function has ended.'));
    return worker;
  };

  return {
    invoke: (event) =>
      new Promise((resolve) => {
        const id = randomUUID();
        const timeoutMs = settings.timeoutSeconds * 1_000;
        const timer = setTimeout(() => settle(id, { failure: 'Task timed out.' }), timeoutMs);
        pending.set(id, { resolve, timer });
        const call: WorkerCall = { id, event: JSON.stringify(event), deadline: Date.now() + timeoutMs };
        running().postMessage(call);
      }),
    stop: async () => {
      await worker?.terminate();
    },
  };
};
