// Runs a test file like Jest's own runner (jest-circus), except that Node loads the modules. Those of the product and of
// test/support are loaded once per worker, so their state outlives a test file; that of the test file itself does not.
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { configureGlobal } from 'fast-check';
import { MARK, secondsOfWorker } from '../../../scripts/processes.ts';
import { SEED } from '../sampled.ts';

// Every property test starts from it, unless it names another.
configureGlobal({ seed: SEED });

const require = createRequire(import.meta.url);
const jest = createRequire(require.resolve('jest/package.json'));
const CIRCUS = join(dirname(jest.resolve('jest-circus/runner')), 'jestAdapterInit.js');
const HANDLERS = Symbol.for('EVENT_HANDLERS');

// jest-circus keeps its tests, hooks and event handlers in its module: each file has its own.
const loadCircus = () => {
  delete globalThis[HANDLERS];
  delete require.cache[CIRCUS];
  return require(CIRCUS);
};

let runs = 0;
// A worker that has replaced another one finds what that one's instances have taken.
let counted = secondsOfWorker() - (process.cpuUsage().user + process.cpuUsage().system) / 1_000_000;

// For the summary of `npm test`: what this worker, its children and its instances have taken since the last file.
const countSeconds = (config, testPath) => {
  if (process.env[MARK] === undefined) return;
  const total = secondsOfWorker();
  const file = relative(join(config.rootDir, 'test'), testPath).replaceAll('\\', '/');
  // Less than nothing if a process of an earlier file has ended without its parent; the sums stay right.
  appendFileSync(join(process.env[MARK], 'seconds'), `${file} ${total - counted}\n`);
  counted = total;
};

/** Jest's interface of a test runner: https://jestjs.io/docs/configuration#testrunner-string */
export default async (globalConfig, config, environment, runtime, testPath, sendMessageToJest) => {
  const { initialize, runAndTransformResultsToJestFormat } = loadCircus();
  await initialize({
    config,
    environment,
    globalConfig,
    runtime,
    testPath,
    sendMessageToJest,
    localRequire: require,
    parentProcess: process,
    setGlobalsForRuntime: () => {},
  });
  runs += 1;
  await import(`${pathToFileURL(testPath)}?run=${runs}`);
  const results = await runAndTransformResultsToJestFormat({ config, globalConfig, testPath });
  countSeconds(config, testPath);
  return results;
};
