import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives a test run a temporary folder of its own, which every process of the run takes from the environment. */
export default () => {
  process.env.TMPDIR = mkdtempSync(join(tmpdir(), 'cuevault-tests-'));
};
