import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, rmSync, writeFileSync } from 'node:fs';
import type { BackupPage, Installation as Identity, Recipient } from '../../contract/shapes/backup.ts';
import { unpackLines } from '../../lambdas/core/backup/backup-pages.ts';
import { randomBase62 } from '../../lambdas/core/identifiers.ts';
import type { Installation } from '../aws/reply.ts';
import { CommandError } from '../aws/stack.ts';
import { onFile, pagesOf, type Tally } from './file.ts';
import { exportedPages, readBackup } from './load.ts';

export interface BackupOptions {
  readonly file: string;
  /** The installation that values are re-encrypted to. @default - values stay sealed as they are */
  readonly recipients?: readonly Recipient[] | undefined;
}

/** What an interrupted backup has already written: its last page, and the bytes that are complete pages. Errors: `CommandError`. */
const progressOf = async ({ file, recipients }: BackupOptions, { stage }: Identity) => {
  let last: BackupPage | undefined;
  let end = 0;
  if (!existsSync(file)) return { last, end };
  for await (const found of pagesOf(file)) {
    ({ page: last, end } = found);
    const keys = found.records.some(({ type }) => type === 'secret') ? last.encryptedTo : [];
    const fits = recipients
      ? keys.every((key) => recipients.some(({ publicKey }) => publicKey === key.publicKey))
      : keys.every((key) => key.stage === stage);
    if (last.stage !== stage || !fits)
      throw new CommandError(`${file} is another backup. Name another file, or repeat the same options.`);
  }
  if (last !== undefined && last.next === undefined)
    throw new CommandError(`${file} is a complete backup. Name another file.`);
  return { last, end };
};

/** The public keys of an installation. */
export const identityOf = async (installation: Installation): Promise<Identity> =>
  (await installation.invoke('backup-export', { show: 'installation' })) as Identity;

/**
 * Writes a backup page by page, or continues an interrupted one, reads the file back to its end, and returns what it
 * contains. Errors: `CommandError`.
 */
export const makeBackup = async (installation: Installation, options: BackupOptions): Promise<Tally> => {
  const { file, recipients } = options;
  const { last: before, end } = await progressOf(options, await identityOf(installation));
  const backupId = before?.backupId ?? randomBase62(22);
  const output = onFile(file, () => openSync(file, before === undefined ? 'ax' : 'a', 0o600));
  let last = before;
  try {
    ftruncateSync(output, end);
    for await (const { page, lines } of exportedPages(installation, { backupId, last, recipients })) {
      // Unlike a single call of the system, it writes everything or throws.
      onFile(file, () => writeFileSync(output, `${unpackLines(lines)}${JSON.stringify(page)}\n`));
      last = page;
    }
    onFile(file, () => fsyncSync(output));
  } finally {
    closeSync(output);
    // Without a page, it is not a backup that could be continued.
    if (last === undefined) rmSync(file);
  }
  return (await readBackup(file)).tally;
};
