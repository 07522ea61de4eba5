export interface EnvPair {
  readonly key: string;
  readonly value: string;
  /** Number of its first line, from 1. */
  readonly line: number;
}

/**
 * What is wrong with a line, or worth knowing, as the rest of a sentence that begins with its number. It never contains
 * the line's content.
 */
export interface EnvRemark {
  readonly line: number;
  readonly message: string;
}

// Accepted text means the same as in the npm package "dotenv" (`parse`, version 18). What dotenv skips or cuts short is
// a problem. What other readers (Node's `parseEnv`, python-dotenv, dotenv-expand) read differently is a problem or has a
// note. The Python client has the same rules: test/vectors/env-file.json.

// Of a variable called "export", some readers take the name for the prefix.
const ASSIGNMENT = /^[ \t]*(?!export[ \t]+=)(export +)?([\w.-]+)[ \t]*=([ \t]*)/;
const IGNORED = /^[ \t]*(?:#.*)?$/;
const QUOTES = ['"', "'", '`'];
const INVISIBLE = /(?![ \t])[\p{Cc}\p{Cf}\p{Z}]/u;
/** Ends a line for some readers, in quotes and comments too; or ends the text. */
const BREAKS_LINES = /[\0\r\u2028\u2029]/;

interface Value {
  /** Where its line ends. */
  readonly end: number;
  readonly value: string;
  readonly note?: string | undefined;
}

interface Problem {
  readonly end: number;
  readonly problem: string;
}

const lineFrom = (text: string, start: number) => {
  const end = text.indexOf('\n', start);
  return text.slice(start, end < 0 ? undefined : end);
};

/** The note of a value that readers expand, or else another one. */
const noteOn = (value: string, other: string | undefined) => {
  if (/\$[\w{]/.test(value)) return 'is kept as written: some readers expand $NAME';
  return other && `is read as dotenv reads it: readers disagree on ${other}`;
};

/** What readers disagree on in a quoted text. */
const disputeIn = (quote: string, inner: string) => {
  if (quote === '`') return 'backquotes';
  return (quote === '"' ? /\\[^n]/ : /\\[\\']/).test(inner) ? 'backslashes in quotes' : undefined;
};

const readQuoted = (text: string, open: number): Value | Problem => {
  const quote = text.charAt(open);
  let close = text.indexOf(quote, open + 1);
  while (text.charAt(close - 1) === '\\') close = text.indexOf(quote, close + 1);
  const rest = lineFrom(text, close + 1);
  if (close < 0 || !IGNORED.test(rest)) {
    const problem = 'opens a quote that is not closed, or has text after the closing one';
    return { end: open + lineFrom(text, open).length, problem };
  }
  const inner = text.slice(open + 1, close);
  const value = quote === '"' ? inner.replaceAll('\\n', '\n').replaceAll('\\r', '\r') : inner;
  return { end: close + 1 + rest.length, value, note: noteOn(value, disputeIn(quote, inner)) };
};

const readBare = (text: string, start: number, isAmbiguous: boolean): Value | Problem => {
  const line = lineFrom(text, start);
  const end = start + line.length;
  const value = line.replace(/(?<=[ \t])#.*/, '').replace(/[ \t]+$/, '');
  if (value.includes('#')) {
    const problem =
      'has a # at the beginning of its value or in a word: quote the value, or remove the comment';
    return { end, problem };
  }
  if (INVISIBLE.test(value)) return { end, problem: 'contains an invisible character: quote the value' };
  const dispute = value === '' && isAmbiguous ? 'an empty value with blanks or "export"' : undefined;
  return { end, value, note: noteOn(value, dispute) };
};

const readAssignment = (text: string, start: number): (Value & { readonly key: string }) | Problem => {
  const line = lineFrom(text, start);
  const [matched = '', prefix = '', key, blanks = ''] = ASSIGNMENT.exec(line) ?? [];
  if (key === undefined) return { end: start + line.length, problem: 'is not of the form KEY=value' };
  const at = start + matched.length;
  const isQuoted = QUOTES.includes(text.charAt(at));
  const read = isQuoted ? readQuoted(text, at) : readBare(text, at, prefix + blanks !== '');
  if ('problem' in read) return read;
  return BREAKS_LINES.test(text.slice(start, read.end))
    ? { end: read.end, problem: 'contains a character that ends lines for some readers' }
    : { ...read, key };
};

/** Reads the text of a `.env` file: its assignments, and what is wrong or worth knowing, line by line. */
export const parseEnv = (source: string) => {
  const text = source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const pairs = new Map<string, EnvPair>();
  const problems: EnvRemark[] = [];
  const notes: EnvRemark[] = [];
  for (let start = 0, line = 1; start < text.length; ) {
    const content = lineFrom(text, start);
    const isIgnored = IGNORED.test(content) && !BREAKS_LINES.test(content);
    const read = isIgnored ? { end: start + content.length } : readAssignment(text, start);
    if ('problem' in read) problems.push({ line, message: read.problem });
    else if ('key' in read) {
      const { key, value, note } = read;
      const earlier = pairs.get(key);
      if (earlier !== undefined)
        problems.push({ line, message: `sets the same key as line ${earlier.line}` });
      else {
        pairs.set(key, { key, value, line });
        if (note !== undefined) notes.push({ line, message: note });
      }
    }
    line += text.slice(start, read.end).split('\n').length;
    start = read.end + 1;
  }
  return { pairs: [...pairs.values()], problems, notes };
};
