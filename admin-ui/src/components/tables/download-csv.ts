import { download } from '../download.ts';
import { toCsv } from './csv.ts';

/** Downloads rows as a file. */
export const downloadCsv = (fileName: string, rows: readonly object[]): void =>
  download(fileName, 'text/csv;charset=utf-8', `\ufeff${toCsv(rows)}`);
