import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MARK } from '../../scripts/processes.ts';
import { startBroker } from './shared/broker.mjs';

/** Gives a test run a temporary folder of its own, and the instances that its test files share. */
export default async () => {
  process.env.TMPDIR = mkdtempSync(join(process.env[MARK] ?? tmpdir(), 'cuevault-tests-'));
  // Most processes of the tests load the same modules.
  process.env.NODE_COMPILE_CACHE = join(process.env.TMPDIR, 'compiled');
  const broker = await startBroker();
  process.env.CUEVAULT_TEST_INSTANCES = broker.url;
  globalThis.stopSharedInstances = broker.stop;
};
