// They take long, and find what changes rarely: CI and `npm run test:long` run them.
const SLOW = ['/test/fuzz/', '/test/infra/gate/lint\\.test\\.ts$'];
// They install packages from registries, or need Firefox: only `npm run test:long` runs them.
const DEMANDING = ['/test/packages/', '/test/e2e/site/firefox\\.test\\.ts$'];
const { CI = '', CUEVAULT_TEST_LONG = '' } = process.env;

export default {
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: [
    ...(CI + CUEVAULT_TEST_LONG === '' ? SLOW : []),
    ...(CUEVAULT_TEST_LONG === '' ? DEMANDING : []),
  ],
  // Node itself loads the modules, once per worker.
  testEnvironment: '<rootDir>/test/support/jest/environment.mjs',
  testRunner: '<rootDir>/test/support/jest/runner.mjs',
  transform: {},
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  // Ends a test that hangs. None may fail because the machine is busy.
  testTimeout: 240_000,
  // One more than the two cores this is made for: browser tests wait for most of their time.
  maxWorkers: 3,
  // Past this, collecting the memory of a worker costs more than a new worker.
  workerIdleMemoryLimit: '800MB',
  // At its end, a worker writes the compiled code of the modules that it has loaded (NODE_COMPILE_CACHE).
  workerGracefulExitTimeout: 60_000,
};
