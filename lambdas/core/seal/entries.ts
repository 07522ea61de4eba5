/** One row of the audit log, as the sealed log holds it. */
export interface SealedEntry {
  readonly pk: string;
  readonly sk: string;
  /** The row as JSON. */
  readonly line: string;
}

// Cuevault writes none of these, but a row that someone else wrote must not stop the sealing.
const plain = (_: string, value: unknown): unknown => {
  if (value instanceof Set) return [...value];
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return typeof value === 'bigint' ? String(value) : value;
};

/** The sealed form of a row of the audit log. */
export const toEntry = (item: Readonly<Record<string, unknown>>): SealedEntry => ({
  pk: String(item.pk),
  sk: String(item.sk),
  line: JSON.stringify(item, plain),
});

/** Order of entries in the log: by time, then by key. */
export const inLogOrder = (a: SealedEntry, b: SealedEntry): number => {
  if (a.sk !== b.sk) return a.sk < b.sk ? -1 : 1;
  return a.pk < b.pk ? -1 : 1;
};
