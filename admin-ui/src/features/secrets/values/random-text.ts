const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** The alphabets of generated values. Only symbols need quotes in a `.env` file. */
export const ALPHABETS = {
  'Letters and digits': LETTERS_AND_DIGITS,
  'Letters, digits and symbols': `${LETTERS_AND_DIGITS}!#$%&()*+,-./:;<=>?@[]^_{|}~`,
  Hexadecimal: '0123456789abcdef',
} as const satisfies Record<string, string>;

export type AlphabetName = keyof typeof ALPHABETS;

const BYTES = 256;

/** A text of uniformly random characters: bytes that would favor some are discarded. */
export const randomText = (length: number, alphabet: string): string => {
  const fair = BYTES - (BYTES % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < fair && text.length < length) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
};

/** The entropy of such a text, in bits. */
export const bitsOf = (length: number, alphabet: string): number =>
  Math.floor(length * Math.log2(alphabet.length));
