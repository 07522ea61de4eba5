import { hash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Writes the low digits of a whole number in base 62, left-padded with zeros to `length` characters. */
export const toBase62 = (value: bigint, length: number): string => {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i++) {
    text = ALPHABET[Number(rest % 62n)] + text;
    rest /= 62n;
  }
  return text;
};

/** `length` characters of base 62, uniformly distributed, from the system's secure generator. */
export const randomBase62 = (length: number): string => {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length + 8)) {
      // 248 is the largest multiple of 62 that fits into a byte: larger bytes would favor some characters.
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
};

/** `prm_` and 22 base-62 characters of the SHA-256 of the name: name and id lead to the same rows. */
export const promptIdOf = (name: string): string =>
  `prm_${toBase62(BigInt(`0x${hash('sha256', name)}`), 22)}`;
