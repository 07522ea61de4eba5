import { download } from '../download.ts';
import { toCsv } from './csv.ts';

/** Hands rows to the browser as a file to keep. */
export const downloadCsv = (fileName: string, rows: readonly object[]): void =>
  download(fileName, 'text/csv;charset=utf-8', `\ufeff${toCsv(rows)}`);
