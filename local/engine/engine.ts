import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freeLoopback } from '../loopback.ts';
import { COMMAND } from '../settings.ts';
import { StartError } from '../start-error.ts';

export interface Engine {
  /** Address of the DynamoDB-compatible endpoint. It answers anyone, so it must not be shared or printed. */
  readonly endpoint: string;
  /** The file of the embedded engine; undefined in memory, and for an engine that was started elsewhere. */
  readonly file: string | undefined;
  /** Resolves with a message if the engine ends without being stopped. */
  readonly ended: Promise<StartError>;
  readonly stop: () => Promise<void>;
}

const WATCHDOG = fileURLToPath(new URL('./watchdog.mjs', import.meta.url));
const PLATFORM_PACKAGE = `@dynoxide/${process.platform}-${process.arch}`;
const PROGRAM = process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
const START_MILLISECONDS = 10_000;
// A call fails slightly before the process reports its exit.
const END_MILLISECONDS = 500;

const GREETING = /^Dynoxide listening on .*$/m;
const NEVER = new Promise<never>(() => {});

/** The binary of the platform's package, which is an optional dependency. */
const fromPackage = (): string | undefined => {
  try {
    return createRequire(import.meta.url).resolve(`${PLATFORM_PACKAGE}/${PROGRAM}`);
  } catch {
    return undefined;
  }
};

const MISSING = `There is no DynamoDB engine for ${process.platform}-${process.arch}. Run DynamoDB Local, and start Cuevault with its address:
  docker run -d -p 127.0.0.1:8000:8000 amazon/dynamodb-local
  ${process.platform === 'win32' ? 'set "CUEVAULT_DYNAMODB_ENDPOINT=http://127.0.0.1:8000" && ' : 'CUEVAULT_DYNAMODB_ENDPOINT=http://127.0.0.1:8000 '}${COMMAND}`;

const searchFor = (): string => {
  // Tests put another engine in its place.
  const binary = process.env.CUEVAULT_DYNAMODB_ENGINE || fromPackage();
  if (binary === undefined) throw new StartError(MISSING);
  return binary;
};

const run = (binary: string, args: readonly string[]) => {
  const child = spawn(process.execPath, [WATCHDOG, binary, ...args], {
    stdio: ['pipe', 'ignore', 'pipe'],
    // Ctrl-C in the terminal is for the runner, which stops the engine last.
    detached: true,
    windowsHide: true,
  });
  let words = '';
  child.stderr.on('data', (chunk) => {
    words = (words + String(chunk)).slice(-1_000);
  });
  const ended = new Promise((resolve) => {
    child.once('error', (error) => {
      words = error.message;
      resolve(undefined);
    });
    child.once('close', resolve);
  });
  return {
    /** The engine is stopped when this ends. */
    input: child.stdin,
    /** Resolves when engine and watchdog have exited. */
    ended,
    /** The last output of the engine. */
    words: () => words.replace(GREETING, '').trim().replaceAll(/\s+/g, ' '),
  };
};

type Running = ReturnType<typeof run>;

const stop = async ({ input, ended }: Running): Promise<void> => {
  input.end();
  await ended;
};

const isUp = (endpoint: string): Promise<boolean> =>
  fetch(endpoint).then(
    (response) => response.text().then(() => true),
    () => false,
  );

const waitUntilUp = async (endpoint: string, running: Running): Promise<void> => {
  let over = false;
  void running.ended.then(() => {
    over = true;
  });
  const deadline = Date.now() + START_MILLISECONDS;
  while (!(await isUp(endpoint))) {
    if (over || Date.now() > deadline) {
      if (!over) await stop(running);
      throw new StartError(`The DynamoDB engine did not start: ${running.words() || 'it does not answer'}`);
    }
    await sleep(10);
  }
};

const endOf = (running: Running): StartError =>
  new StartError(
    `The DynamoDB engine has ended (${running.words() || 'without output'}): start Cuevault again.`,
  );

/** The result of `work`. Errors: those of `work`, or that the engine has ended. */
export const whileRunning = async <T>(engine: Engine, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw (await Promise.race([engine.ended, sleep(END_MILLISECONDS)])) ?? error;
  }
};

const startedElsewhere = async (endpoint: string): Promise<Engine> => {
  if (await isUp(endpoint)) return { endpoint, file: undefined, ended: NEVER, stop: async () => {} };
  throw new StartError(
    `No DynamoDB answers at ${endpoint}: start it, or set CUEVAULT_DYNAMODB_ENDPOINT to its address, such as http://localhost:8000.`,
  );
};

/** The engine fails if another program has taken the port in the meantime, on any address. */
const PORT_ATTEMPTS = 5;

const launch = async (
  binary: string,
  file: string | undefined,
  attempts = PORT_ATTEMPTS,
): Promise<{ endpoint: string; running: Running }> => {
  const { host, port } = await freeLoopback();
  const database = file === undefined ? [] : ['--db-path', file];
  const running = run(binary, ['serve', '--host', host, '--port', port, ...database]);
  const endpoint = `http://${host}:${port}`;
  try {
    await waitUntilUp(endpoint, running);
    return { endpoint, running };
  } catch (error) {
    if (attempts === 1 || !/port \d+ is already in use/.test(running.words())) throw error;
    return launch(binary, file, attempts - 1);
  }
};

/**
 * Starts the embedded DynamoDB engine on a random loopback address, in memory or on `file`. It ends with this process,
 * even if this process is killed. If `CUEVAULT_DYNAMODB_ENDPOINT` is set, that endpoint is used instead.
 * Errors: `StartError` if no engine is installed, it does not start, or nothing answers at that endpoint.
 */
export const startEngine = async (file?: string): Promise<Engine> => {
  const given = process.env.CUEVAULT_DYNAMODB_ENDPOINT;
  if (given) return startedElsewhere(given);
  const { endpoint, running } = await launch(searchFor(), file);
  let stopped = false;
  return {
    endpoint,
    file: process.env.CUEVAULT_DYNAMODB_ENGINE ? undefined : file,
    ended: running.ended.then(() => (stopped ? NEVER : endOf(running))),
    stop: () => {
      stopped = true;
      return stop(running);
    },
  };
};
