import { LIMITS, utf8Bytes } from '../../../contract/limits.ts';

export interface EnvPair {
  readonly key: string;
  readonly value: string;
  /** Number of its first line, from 1. */
  readonly line: number;
}

/**
 * The problem of a line, as the rest of a sentence that begins with its number. It never contains the line's content.
 */
export interface EnvProblem {
  readonly line: number;
  readonly message: string;
}

// Accepted text means the same as in the npm package "dotenv" (`parse`, version 18): keys, `export`, two separators,
// three quotes, escapes. What dotenv would silently skip or truncate is a problem here.

const ASSIGNMENT = /^\s*(?:export\s+)?([\w.-]+)(?:\s*=|:(?=\s))/;
const IGNORED = /^\s*(?:#.*)?$/;
const QUOTES = ['"', "'", '`'];
const MORE_LINES = /[\u2028\u2029]/;

/** What follows a closing quote on its line. */
const restOfLine = (text: string, from: number): string => {
  const end = text.indexOf('\n', from);
  return text.slice(from, end < 0 ? undefined : end);
};

/**
 * The closing quote of a value quoted at `open`: the first quote without a backslash before it, or else the last one
 * with a backslash. Only a comment may follow on its line. -1 if there is none.
 */
const closingQuote = (text: string, open: number): number => {
  const quote = text.charAt(open);
  // Stops at the beginning of a comment: every character can be a quote.
  const nothingElse = /[^\S\n]*(?:#|\n|$)/y;
  let closing = -1;
  for (let at = text.indexOf(quote, open + 1); at >= 0; at = text.indexOf(quote, at + 1)) {
    nothingElse.lastIndex = at + 1;
    if (nothingElse.test(text)) closing = at;
    if (text.charAt(at - 1) !== '\\') break;
  }
  return closing;
};

const unquoted = (text: string, open: number, close: number): string => {
  const inner = text.slice(open + 1, close);
  return text.charAt(open) === '"' ? inner.replaceAll('\\n', '\n').replaceAll('\\r', '\r') : inner;
};

/** The value up to `end`, or its problem. */
type Read<What> = ({ readonly end: number } & What) | { readonly end: number; readonly message: string };

/** The value that begins at `start`. */
const readValue = (text: string, start: number): Read<{ readonly value: string }> => {
  const line = restOfLine(text, start);
  const end = start + line.length;
  const open = end - line.trimStart().length;
  if (open < end && QUOTES.includes(text.charAt(open))) {
    const close = closingQuote(text, open);
    if (close < 0)
      return { end, message: 'opens a quote that is not closed, or has text after the closing one' };
    return { value: unquoted(text, open, close), end: close + 1 + restOfLine(text, close + 1).length };
  }
  if (/[^\s]#/.test(line)) {
    const message = 'contains a # in the middle of a word: quote the value, or put a space before a comment';
    return { end, message };
  }
  const [beforeComment = ''] = line.split('#', 1);
  return { value: beforeComment.trim(), end };
};

const faultOf = (key: string, value: string, source: string): string | undefined => {
  if (utf8Bytes(key) > LIMITS.secretKeyBytes) return `has a key of more than ${LIMITS.secretKeyBytes} bytes`;
  if (utf8Bytes(value) > LIMITS.secretValueBytes) {
    return `has a value of more than ${LIMITS.secretValueBytes} bytes`;
  }
  return MORE_LINES.test(source) ? 'contains a Unicode line separator' : undefined;
};

/** The assignment on the line that begins at `start` and the lines on which its value continues. */
const readAssignment = (
  text: string,
  start: number,
): Read<{ readonly key: string; readonly value: string }> => {
  const line = restOfLine(text, start);
  const [matched, key] = ASSIGNMENT.exec(line) ?? [];
  if (matched === undefined || key === undefined) {
    return { end: start + line.length, message: 'is not of the form KEY=value' };
  }
  const read = readValue(text, start + matched.length);
  if ('message' in read) return read;
  const message = faultOf(key, read.value, text.slice(start, read.end));
  return message === undefined ? { key, ...read } : { end: read.end, message };
};

/** Reads a `.env` text: its assignments, and its problems line by line. */
export const parseEnv = (source: string) => {
  const text = source.replaceAll(/\r\n?/g, '\n');
  const pairs = new Map<string, EnvPair>();
  const problems: EnvProblem[] = [];
  for (let start = 0, line = 1; start < text.length; ) {
    const content = restOfLine(text, start);
    const isIgnored = IGNORED.test(content) && !MORE_LINES.test(content);
    const read = isIgnored ? { end: start + content.length } : readAssignment(text, start);
    if ('message' in read) problems.push({ line, message: read.message });
    else if ('key' in read) {
      const { key, value } = read;
      const earlier = pairs.get(key);
      if (earlier === undefined) pairs.set(key, { key, value, line });
      else problems.push({ line, message: `sets the same key as line ${earlier.line}` });
    }
    line += text.slice(start, read.end).split('\n').length;
    start = read.end + 1;
  }
  return { pairs: [...pairs.values()], problems };
};
