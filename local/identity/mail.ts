import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { MAIL_FILE } from '../../contract/sign-in.ts';

/**
 * Replaces mail: keeps the last temporary password of each operator in a file of the data folder, which only its owner
 * can read.
 */
export const mailTo =
  (dataFolder: string) =>
  (email: string, password: string): void => {
    const file = path.join(dataFolder, MAIL_FILE);
    const earlier = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {};
    const draft = `${file}.new`;
    const content = { ...earlier, [email]: password };
    writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(draft, file);
  };
