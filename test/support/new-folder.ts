import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A new folder that nobody else uses. It goes with the run's temporary folder (`global-teardown.mjs`). */
export const newFolder = (): string => mkdtempSync(path.join(tmpdir(), 'cuevault-'));
