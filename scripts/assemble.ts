// Brings the admin site, the bundles and the template in dist/ up to date with the sources.
import { assemble } from '../local/assembly.ts';
import { StartError } from '../local/start-error.ts';

try {
  assemble();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
