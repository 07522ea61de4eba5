// Brings the admin site, the bundles and the template in dist/ up to date with the sources.

import { StartError } from '../local/start-error.ts';
import { assemble } from '../local/template/assembly.ts';

try {
  assemble();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
