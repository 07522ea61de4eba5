// Runs instances and the browser for the test files of one Jest worker, until the parent process closes it.
import { appendFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import type { BrowserServer } from 'playwright-core';
import { REGION } from '../../../local/aws/account.ts';
import { type Instance, startInstance } from '../../../local/instance.ts';
import { listenOnLoopback } from '../../../local/loopback.ts';
import { makeDataFolder } from '../data-folder.ts';
import { recordCall } from '../iam/recorder.ts';
import type { Call, OpenOptions, RemoteInstance } from './remote.ts';

// CI builds them, and calls the endpoints as they are deployed.
const BUNDLES = process.env.CI || process.env.CUEVAULT_TEST_LONG ? 'deployment' : 'local';

/** By data folder. */
const running = new Map<string, Instance>();
let shared: Promise<RemoteInstance> | undefined;
let browser: Promise<BrowserServer> | undefined;

const startBrowser = async (): Promise<BrowserServer> =>
  // Most runs need none.
  (await import('../browser/browser.ts')).startBrowser();

const open = async (options: OpenOptions = {}): Promise<RemoteInstance> => {
  const dataFolder = await makeDataFolder(options);
  const log = path.join(dataFolder, 'functions.log');
  appendFileSync(log, '');
  const onLog = (line: string) => appendFileSync(log, line);
  const instance = await startInstance({
    dataFolder,
    port: 0,
    sample: false,
    consumes: 'on-settled',
    onLog,
    onCall: recordCall,
    ...options,
  });
  running.set(dataFolder, instance);
  const { firstRun, tableEnvironment, aws } = instance;
  return {
    firstRun,
    dataFolder,
    log,
    control,
    environment: tableEnvironment,
    client: { endpoint: aws.url, region: REGION, credentials: aws.runnerCredentials },
  };
};

const stop = async (dataFolder: string): Promise<void> => {
  const instance = running.get(dataFolder);
  running.delete(dataFolder);
  await instance?.stop();
  rmSync(dataFolder, { recursive: true, force: true });
};

const answer = async (call: Call): Promise<unknown> => {
  if (call.name === 'open') return open(...call.args);
  if (call.name === 'shared') {
    shared ??= open({ bundles: BUNDLES });
    return shared;
  }
  if (call.name === 'browser') {
    browser ??= startBrowser();
    return (await browser).wsEndpoint();
  }
  const found = running.get(call.dataFolder);
  if (found === undefined) throw new Error('This instance has been stopped.');
  if (call.name === 'stop') return stop(call.dataFolder);
  return (found[call.name] as (...args: readonly unknown[]) => unknown)(...call.args);
};

const server = createServer(async (request, response) => {
  try {
    response.end(JSON.stringify((await answer((await json(request)) as Call)) ?? null));
  } catch (error) {
    response.writeHead(500).end(error instanceof Error ? error.message : String(error));
  }
});
const control = `http://${await listenOnLoopback(server)}`;
process.send?.({ control });
process.once('disconnect', async () => {
  server.close();
  server.closeAllConnections();
  await Promise.all([...running.keys()].map(stop));
  await (await browser)?.close();
});
