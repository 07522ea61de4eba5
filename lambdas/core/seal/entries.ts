import { parseAddress } from '../api-keys/addresses.ts';

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

const IPV6_GROUPS = 8;

/** The network of an address, as a range: the first 24 bits of an IPv4 address, 48 of another; undefined if it is none. */
export const networkOf = (address: string): string | undefined => {
  const parsed = parseAddress(address);
  if (parsed?.family !== 'ipv6') return parsed?.text.replace(/\d+$/, '0/24');
  const [start = [], end = []] = parsed.text.split('::').map((groups) => groups.split(':').filter(Boolean));
  const zeros = Array.from({ length: IPV6_GROUPS - start.length - end.length }, () => '0');
  return `${[...start, ...zeros, ...end].slice(0, 3).join(':')}::/48`;
};

type Row = Readonly<Record<string, unknown>>;

// Not by the form of an address: it may have quotation marks.
/** A string with an `@` in JSON text. */
const WITH_ADDRESS = /"(?:[^"\\@]|\\.)*@(?:[^"\\]|\\.)*"/g;

// Nobody can delete what is sealed, so it holds the ids of people, and the networks of callers. A name of a key is no address.
const pseudonymous = (row: Row): Row => ({
  ...row,
  ...('actor' in row && !String(row.actor).includes(' ') && { actor: row.actorId ?? 'unknown' }),
  ...(String(row.action).startsWith('operator.') && {
    subject: row.subjectId ?? 'unknown',
    name: row.subjectId ?? 'unknown',
    details: String(row.details).replaceAll(WITH_ADDRESS, '"an address"'),
  }),
  ...('sourceIp' in row && { sourceIp: networkOf(String(row.sourceIp)) }),
});

/** The sealed form of a row of the audit log: operators by their ids, callers by the /24 or /48 of their addresses. */
export const toEntry = (item: Row): SealedEntry => ({
  pk: String(item.pk),
  sk: String(item.sk),
  line: JSON.stringify(pseudonymous(item), plain),
});

/** Order of entries in the log: by time, then by key. */
export const inLogOrder = (a: SealedEntry, b: SealedEntry): number => {
  if (a.sk !== b.sk) return a.sk < b.sk ? -1 : 1;
  return a.pk < b.pk ? -1 : 1;
};
