// What JSON.stringify makes of a character that needs escaping, counted twice over: a newline is written \n inside
// the body and \\n inside the reply around it; a quote becomes \\\" and a backslash \\\\; another control
// character is written \\u0001.
const SHORT_ESCAPES = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);
const LONGEST = 7;

const codePointBytes = (unit: number): number => {
  if (unit === 0x22 || unit === 0x5c) return 4;
  if (unit < 0x20) return SHORT_ESCAPES.has(unit) ? 3 : LONGEST;
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  // Half of a surrogate pair: the two halves make one character of four bytes.
  return unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
};

/**
 * Bytes that a well-formed text takes in Lambda's reply, which is JSON (the body) inside JSON (the reply), without
 * the quotes around it. Nothing of that length is built.
 */
export const replyBytes = (text: string): number => {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) bytes += codePointBytes(text.charCodeAt(i));
  return bytes;
};
