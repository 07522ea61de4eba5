// Runs a test file like Jest's own runner (jest-circus), except that Node loads the modules. Those of the product and of
// test/support are loaded once per worker, so their state outlives a test file; that of the test file itself does not.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

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

/** Jest's interface of a test runner: https://jestjs.io/docs/configuration#testrunner-string */
export default async (globalConfig, config, environment, runtime, testPath, sendMessageToJest) => {
  const { initialize, runAndTransformResultsToJestFormat } = loadCircus();
  await initialize({
    ...{ config, environment, globalConfig, runtime, testPath, sendMessageToJest },
    localRequire: require,
    parentProcess: process,
    setGlobalsForRuntime: () => {},
  });
  runs += 1;
  await import(`${pathToFileURL(testPath)}?run=${runs}`);
  return runAndTransformResultsToJestFormat({ config, globalConfig, testPath });
};
