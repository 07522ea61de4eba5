import { BlockList, type IPVersion, isIP, isIPv4, SocketAddress } from 'node:net';

interface Address {
  readonly text: string;
  readonly family: IPVersion;
}

interface Range extends Address {
  readonly prefix: number;
}

const BITS = { ipv4: 32, ipv6: 128 } as const;
const MAPPED_BITS = 96;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

// A zone (fe80::1%eth0) is only meaningful on one machine, so it is not an address here.
const written = (text: string): Address | undefined => {
  if (isIP(text) === 0 || text.includes('%')) return undefined;
  const family = isIPv4(text) ? 'ipv4' : 'ipv6';
  return { text: new SocketAddress({ address: text, family }).address, family };
};

/** The address that a text is. ::ffff:192.0.2.1 (RFC 4291, 2.5.5.2) is the IPv4 address, also in a range. */
export const parseAddress = (text: string): Address | undefined => {
  const address = written(text);
  const ipv4 = MAPPED.exec(address?.text ?? '')?.[1];
  return ipv4 === undefined ? address : { text: ipv4, family: 'ipv4' };
};

const parseRange = (cidr: string): Range | undefined => {
  const [, start, digits] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(cidr) ?? [];
  const address = parseAddress(start ?? '');
  if (address === undefined) return undefined;
  const above = address.family === written(start ?? '')?.family ? 0 : MAPPED_BITS;
  const prefix = digits === undefined ? BITS[address.family] : Number(digits) - above;
  return prefix >= 0 && prefix <= BITS[address.family] ? { ...address, prefix } : undefined;
};

/**
 * Whether a text is a range of addresses: an IPv4 or IPv6 address and the length of its prefix (198.51.100.0/24,
 * 2001:db8::/32), or a single address. Bits after the prefix are ignored.
 */
export const isCidr = (text: string): boolean => parseRange(text) !== undefined;

/**
 * Whether an address is in one of the ranges. IPv4 ranges contain only IPv4 addresses, and IPv6 ranges, including ::/0,
 * only IPv6 addresses. An invalid address is in no range; an invalid range contains no address.
 */
export const addressAllowed = (address: string, cidrs: readonly string[]): boolean => {
  const parsed = parseAddress(address);
  if (parsed === undefined) return false;
  const { text, family } = parsed;
  const ranges = new BlockList();
  for (const cidr of cidrs) {
    const range = parseRange(cidr);
    if (range?.family === family) ranges.addSubnet(range.text, range.prefix, family);
  }
  return ranges.check(text, family);
};
