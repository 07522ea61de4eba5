// Runs the instance that the test files of one Jest worker share, until the parent process lets go of it.
import { appendFileSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { REGION } from '../../../local/aws/account.ts';
import { startInstance } from '../../../local/instance.ts';
import { listenOnLoopback } from '../../../local/loopback.ts';
import type { Shared } from './instance.ts';

const dataFolder = mkdtempSync(path.join(tmpdir(), 'cuevault-shared-'));
const log = path.join(dataFolder, 'functions.log');
appendFileSync(log, '');
const onLog = (line: string) => appendFileSync(log, line);
const instance = await startInstance({ dataFolder, port: 0, sample: false, onLog });

// biome-ignore lint/suspicious/noExplicitAny: what comes over the wire
const call = ({ name, args }: any): Promise<unknown> => {
  if (name === 'settled') return instance.settled();
  return name === 'addOperator' ? instance.addOperator(args[0]) : instance.invoke(args[0], args[1]);
};

const server = createServer(async (request, response) => {
  try {
    response.end(JSON.stringify((await call(await json(request))) ?? null));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
const control = `http://${await listenOnLoopback(server)}`;
const shared: Shared = {
  ...{ firstRun: instance.firstRun, dataFolder, log, control, environment: instance.tableEnvironment },
  client: { endpoint: instance.aws.url, region: REGION, credentials: instance.aws.runnerCredentials },
};
process.send?.(shared);
process.once('disconnect', async () => {
  server.close();
  server.closeAllConnections();
  await instance.stop();
});
