import { rmSync } from 'node:fs';

/** Deletes the temporary folder of the run with all that its tests have left there. */
export default () => rmSync(process.env.TMPDIR, { recursive: true, force: true });
