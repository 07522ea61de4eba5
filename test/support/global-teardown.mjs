import { rmSync } from 'node:fs';

/** Stops the shared instances, and deletes the temporary folder of the run with all that its tests have left there. */
export default async () => {
  await globalThis.stopSharedInstances();
  rmSync(process.env.TMPDIR, { recursive: true, force: true });
};
