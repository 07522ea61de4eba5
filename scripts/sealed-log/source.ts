import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Verifier } from '../../lambdas/store/signing/rows.ts';
import type { Table } from '../../lambdas/store/table.ts';
import { keysIn } from '../../local/aws/s3.ts';
import { CommandError } from '../aws/stack.ts';
import type { LoggedObject } from './verification/objects.ts';

/** The operation id of the job that seals. */
export const JOB = 'audit-seal';

/** What is verified: the log, with what verifies it, and the table if there is one. */
export interface Source {
  readonly verifier: Verifier;
  readonly objects: readonly LoggedObject[];
  readonly table?: Table;
  readonly close: () => Promise<void>;
}

/** The objects in a folder. Errors: `CommandError` if it does not exist. */
export const objectsIn = (folder: string): LoggedObject[] => {
  if (!existsSync(folder) || readdirSync(folder).length === 0)
    throw new CommandError(
      `There is no sealed log in ${folder}. A new installation seals its first entries after 5 to 20 minutes.`,
    );
  return keysIn(folder).map((key) => ({ key, read: () => readFile(path.join(folder, key)) }));
};
