// Runs in the thread of one function: loads the bundle as Lambda does and calls its handler. Plain JavaScript, because
// code is compiled only once for all threads after the cache for it is enabled.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

/** @type {import('./functions.ts').WorkerData} */
const { bundle, compileCache, direct } = workerData;
if (compileCache !== undefined) enableCompileCache(compileCache);
// The SDK imports node:http. An import reads all exports, and these load Node's WebSocket client, which takes longer than
// the rest of the module.
const http = process.getBuiltinModule('node:http');
for (const name of ['CloseEvent', 'MessageEvent', 'WebSocket']) Reflect.deleteProperty(http, name);
if (direct !== undefined) {
  const { callDirectly } = await import('./direct-calls.ts');
  callDirectly(direct, (notice) => parentPort?.postMessage({ notice }));
}
/** @type {Promise<{ handler: (event: unknown, context: unknown) => Promise<unknown> }>} */
const loaded = import(pathToFileURL(bundle).href);
let isFlushed = compileCache === undefined;

/** @param {string} id @param {number} deadline */
const contextOf = (id, deadline) => ({
  awsRequestId: id,
  functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
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
    const { handler } = await loaded;
    answer({ json: JSON.stringify(await handler(JSON.parse(event), contextOf(id, deadline))) ?? 'null' });
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    answer({ failure: error instanceof Error ? error.message : 'The function threw an error.' });
  }
};
parentPort?.on('message', (calls) => calls.forEach(run));
