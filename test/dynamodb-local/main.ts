// npm run test:dynamodb-local: the tests of the store and the endpoints on DynamoDB Local, which AWS wrote, instead of the
// embedded engine. Needs a JDK (17 or later), Maven, and the network once. Arguments go to Jest.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freeLoopback } from '../../local/loopback.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const LIBRARIES = `${FOLDER}.lib`;
const START_MS = 60_000;

const fail = (sentence: string): never => {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
};

const install = (): void => {
  if (existsSync(LIBRARIES)) return;
  const args = [
    '-q',
    '-f',
    `${FOLDER}pom.xml`,
    'dependency:copy-dependencies',
    `-DoutputDirectory=${LIBRARIES}`,
  ];
  const { status, error } = spawnSync('mvn', args, { stdio: ['ignore', 2, 2] });
  if (error !== undefined)
    fail('Maven is required: install it (package "maven") and a JDK, and run this again.');
  if (status !== 0) fail('DynamoDB Local could not be downloaded; the lines above say why.');
};

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

// It exits when its standard input closes, however this process ends.
const start = async (port: string): Promise<ChildProcess> => {
  const args = [
    `-Djava.library.path=${LIBRARIES}`,
    '-cp',
    `${LIBRARIES}/*`,
    `${FOLDER}LoopbackServer.java`,
    port,
  ];
  const server = spawn('java', args, { stdio: ['pipe', 'ignore', 'ignore'] });
  server.once('error', () => fail('A JDK of version 17 or later is required: "java" cannot be started.'));
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(100)) {
    if (server.exitCode !== null)
      fail(`DynamoDB Local ended with code ${server.exitCode}. It needs a JDK of version 17 or later.`);
    if (await answers(`http://127.0.0.1:${port}`)) return server;
  }
  server.kill();
  return fail('DynamoDB Local did not start within a minute.');
};

install();
const { port } = await freeLoopback();
const server = await start(port);
const chosen = process.argv.slice(2);
const { status } = spawnSync(
  'npm',
  [
    'run',
    '--silent',
    'jest',
    '--',
    '--testTimeout=600000',
    ...(chosen.length > 0 ? chosen : ['test/store', 'test/endpoints']),
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      CUEVAULT_DYNAMODB_ENGINE: `${FOLDER}engine.mjs`,
      CUEVAULT_TEST_DYNAMODB_LOCAL: `http://127.0.0.1:${port}`,
    },
  },
);
server.stdin?.end();
await once(server, 'close');
process.exitCode = status ?? 1;
