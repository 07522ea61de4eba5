// Length of an escaped character after two passes of JSON.stringify: a newline becomes \n in the body and \\n in the
// reply around it; a quote becomes \\\" and a backslash \\\\; another control character becomes \\u0001.
const SHORT_ESCAPES = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);
const LONGEST = 7;

const codePointBytes = (unit: number): number => {
  if (unit === 0x22 || unit === 0x5c) return 4;
  if (unit < 0x20) return SHORT_ESCAPES.has(unit) ? 3 : LONGEST;
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  // Half of a surrogate pair: the two halves form one character of four bytes.
  return unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
};

/**
 * Size of a well-formed text in Lambda's reply, in bytes, without the quotes around it. The reply is JSON that contains
 * the body as a JSON string. Builds nothing of that length.
 */
export const replyBytes = (text: string): number => {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) bytes += codePointBytes(text.charCodeAt(i));
  return bytes;
};
