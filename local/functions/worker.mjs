// Runs functions in a thread: loads their bundles as Lambda does and calls their handlers. Plain JavaScript, because code
// is compiled only once for all threads after the cache for it is enabled.
import { AsyncLocalStorage } from 'node:async_hooks';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

/** @type {import('./functions.ts').WorkerData} */
const { functions, engine, compileCache } = workerData;
if (compileCache !== undefined) enableCompileCache(compileCache);
/** @type {AsyncLocalStorage<import('./functions.ts').FunctionSettings>} */
const running = new AsyncLocalStorage();
const caller = () => {
  const fn = running.getStore();
  if (fn === undefined) throw new Error('This code runs in no function.');
  return fn;
};
// Each function sees its own environment, with its credentials.
Object.defineProperty(process, 'env', { get: () => running.getStore()?.environment ?? {} });
// The SDK imports node:http. An import reads all exports, and these load Node's WebSocket client, which takes longer than
// the rest of the module.
const http = process.getBuiltinModule('node:http');
for (const name of ['CloseEvent', 'MessageEvent', 'WebSocket']) Reflect.deleteProperty(http, name);
if (engine !== undefined) {
  const { callDirectly } = await import('./direct-calls.ts');
  callDirectly(engine, caller, (operationId, notice) => parentPort?.postMessage({ operationId, notice }));
}

/** @typedef {{ handler: (event: unknown, context: unknown) => Promise<unknown> }} Bundle */
/** @type {Map<string, Promise<Bundle>>} */
const loaded = new Map();
/** @type {Promise<unknown>} */
let loading = Promise.resolve();
let isFlushed = true;

// Within `running`, where the bundle's first lines read the environment. One after the other: what two wait for would be
// evaluated for one of them, and both go on there.
/** @returns {Promise<Bundle>} */
const load = () => {
  const { operationId, bundle } = caller();
  const known = loaded.get(operationId);
  if (known !== undefined) return known;
  const begun = loading.then(async () => {
    const imported = await import(pathToFileURL(bundle).href);
    isFlushed = compileCache === undefined;
    return imported;
  });
  loading = begun.catch(() => undefined);
  loaded.set(operationId, begun);
  return begun;
};

/** @param {string} id @param {number} deadline */
const contextOf = (id, deadline) => ({
  awsRequestId: id,
  functionName: caller().operationId,
  getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
});

/** @type {import('./functions.ts').WorkerAnswer[]} */
const answers = [];

const send = () => {
  parentPort?.postMessage(answers.splice(0));
  // A thread that is terminated leaves no cache.
  if (!isFlushed) flushCompileCache();
  isFlushed = true;
};

/** @param {import('./functions.ts').WorkerCall} call */
const run = async ({ id, event, deadline }) => {
  /** @param {Omit<import('./functions.ts').WorkerAnswer, 'id'>} rest */
  const answer = (rest) => {
    if (answers.push({ id, ...rest }) === 1) setImmediate(send);
  };
  try {
    const { handler } = await load();
    answer({ json: JSON.stringify(await handler(JSON.parse(event), contextOf(id, deadline))) ?? 'null' });
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    answer({ failure: error instanceof Error ? error.message : 'The function threw an error.' });
  }
};
parentPort?.on('message', (/** @type {readonly import('./functions.ts').WorkerCall[]} */ calls) => {
  for (const call of calls) {
    const fn = functions.find(({ operationId }) => operationId === call.operationId);
    if (fn !== undefined) running.run(fn, run, call);
  }
});
