/** One row of the audit log, as the sealed log holds it. */
export interface SealedEntry {
  readonly pk: string;
  readonly sk: string;
  /** When the row expires, in seconds since the epoch. */
  readonly ttl: number;
  /** The row as canonical JSON: equal rows have equal lines, different rows have different ones. */
  readonly line: string;
}

type Fields = Readonly<Record<string, unknown>>;

// A set must not look like the list with the same content. No attribute name begins with this character.
const TYPED = '\u0000';

const typed = (type: string, value: unknown): Fields => ({ [TYPED + type]: value });

const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical);
  if (value instanceof Set) return typed('set', [...value].map(canonical));
  if (value instanceof Uint8Array) return typed('binary', Buffer.from(value).toString('base64'));
  if (typeof value === 'bigint') return typed('number', String(value));
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Fields;
  return Object.fromEntries(
    Object.keys(fields)
      .sort()
      .map((name) => [name, canonical(fields[name])]),
  );
};

const entryWith = ({ pk, sk, ttl }: Fields, line: string): SealedEntry => ({
  pk: String(pk),
  sk: String(sk),
  ttl: Number(ttl),
  line,
});

/** The sealed form of a row of the audit log. */
export const toEntry = (item: Fields): SealedEntry => entryWith(item, JSON.stringify(canonical(item)));

/** Reads a line of the sealed log. Throws if it is not a JSON object. */
export const parseEntry = (line: string): SealedEntry => entryWith(JSON.parse(line) as Fields, line);

/** Order of entries in the log: by time, then by key. */
export const inLogOrder = (a: SealedEntry, b: SealedEntry): number => {
  if (a.sk !== b.sk) return a.sk < b.sk ? -1 : 1;
  return a.pk < b.pk ? -1 : 1;
};
