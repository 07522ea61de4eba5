// Brings the admin site and the bundles up to date with the sources.

import { assemble } from '../local/assembly/assembly.ts';
import { StartError } from '../local/start-error.ts';

try {
  assemble();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
