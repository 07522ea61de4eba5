import type { BackupRecord, PageWithLines } from '../../../contract/shapes/backup.ts';
import { digestOf, linesIn, pageMessage, recordIn, unpackLines } from '../../core/backup/backup-pages.ts';
import { assertValid } from '../../core/errors.ts';
import { createSigning } from '../../core/signing.ts';
import type { Table } from '../table.ts';

const isSigned = (table: Table, { signature, ...page }: PageWithLines['page'], trusted: string) => {
  const message = pageMessage(page);
  const bytes = Buffer.from(signature, 'base64');
  return table.signing.isSigned(message, bytes) || createSigning(trusted).isSigned(message, bytes);
};

/** The records of a page that this installation, or one with a trusted public key, has signed. */
export const verifiedRecords = (
  table: Table,
  { page, lines }: PageWithLines,
  trusted = '',
): readonly BackupRecord[] => {
  assertValid(
    isSigned(table, page, trusted),
    `Page ${page.number} was not signed by this installation. If another one made the backup, name the file that "npm run --silent vault-key" prints there with --from.`,
  );
  const text = unpackLines(lines);
  const found = linesIn(text);
  assertValid(
    digestOf(page.previous, text) === page.digest && found.length === page.records,
    `The records of page ${page.number} are not the signed ones.`,
  );
  return found.map(recordIn);
};
