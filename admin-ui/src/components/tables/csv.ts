// Spreadsheets treat these characters at the beginning of a cell as a formula. A spreadsheet that separates cells by
// semicolons starts a cell after each semicolon and line break, because it does not recognize our quotes.
const FIRST = /^(?=[=+\-@\t\r])/;
const LATER = /[;\r\n](?=[=+\-@])/g;

const cell = (value: unknown): string => {
  const plain =
    value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const text = plain.replace(LATER, "$&'").replace(FIRST, "'");
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Rows as CSV (RFC 4180), with these of their properties; their names are the header. */
export const toCsv = (names: readonly string[], rows: readonly object[]): string => {
  const lines = rows.map((row) => {
    const values = new Map(Object.entries(row));
    return names.map((name) => cell(values.get(name)));
  });
  return [names.map(cell), ...lines].map((line) => `${line.join(',')}\r\n`).join('');
};
