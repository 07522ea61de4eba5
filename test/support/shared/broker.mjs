// Provides the processes that run the test instances: one per Jest worker, started on first use.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

const start = (worker) => {
  const child = fork(MAIN, {
    env: { ...process.env, JEST_WORKER_ID: worker, NODE_OPTIONS: '' },
  });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The process of the tests' instances ended with code ${code}.`);
  });
  // No caller may be waiting when it ends.
  failed.catch(() => {});
  return { child, ready: Promise.race([once(child, 'message').then(([message]) => message), failed]) };
};

const stop = async ({ child }) => {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
};

/** Starts the broker. Returns its address, and how to stop it with all processes. */
export const startBroker = async () => {
  const instances = new Map();
  const server = createServer(async (request, response) => {
    try {
      const { worker } = await json(request);
      const instance = instances.get(worker) ?? start(worker);
      instances.set(worker, instance);
      response.end(JSON.stringify(await instance.ready));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await Promise.all([...instances.values()].map(stop));
    },
  };
};
