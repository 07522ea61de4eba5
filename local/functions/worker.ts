// Runs in the thread of one function: loads the bundle as Lambda does and calls its handler.

import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { WorkerAnswer } from './functions.ts';

type Handler = (event: unknown, context: unknown) => Promise<unknown>;

const loaded = import(pathToFileURL(workerData as string).href) as Promise<{ handler: Handler }>;

const contextOf = (id: string, deadline: number) => ({
  awsRequestId: id,
  functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
  getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
});

parentPort?.on(
  'message',
  async ({ id, event, deadline }: { id: string; event: unknown; deadline: number }) => {
    const answer = (rest: Omit<WorkerAnswer, 'id'>) => parentPort?.postMessage({ id, ...rest });
    try {
      const { handler } = await loaded;
      answer({ json: JSON.stringify(await handler(event, contextOf(id, deadline))) ?? 'null' });
    } catch (error) {
      process.stdout.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      answer({ failure: 'The function threw an error.' });
    }
  },
);
