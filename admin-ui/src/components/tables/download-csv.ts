import { toCsv } from './csv.ts';

/** Hands rows to the browser as a file to keep. */
export const downloadCsv = (fileName: string, rows: readonly object[]): void => {
  const url = URL.createObjectURL(new Blob(['\ufeff', toCsv(rows)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
};
