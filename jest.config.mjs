export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2024', parser: { syntax: 'typescript' } },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  // Ends a test that hangs. None may fail because the machine is busy.
  testTimeout: 240_000,
  // One more than the two cores this is made for: browser tests wait for most of their time.
  maxWorkers: 3,
  // The modules of each file stay in a worker's memory: past this, collecting it costs more than a new worker.
  workerIdleMemoryLimit: '600MB',
};
