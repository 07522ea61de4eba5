import { readFileSync } from 'node:fs';
import { isObject, type JsonObject } from '../../wire.ts';
import { CliError, wrongUsage } from '../exit-codes.ts';
import { type ForeignPrompt, type ForeignVersion, foreignPrompt, Unfit } from './foreign.ts';

const FIELDS = ['name', 'version', 'status', 'prompt', 'tags', 'metaProperties'];

const ESCAPES: { readonly [letter: string]: string } = {
  0: '\0',
  b: '\b',
  n: '\n',
  r: '\r',
  t: '\t',
  Z: '\u001a',
};

/**
 * A text as its author wrote it. OpenLIT escapes a new version for SQL, but then inserts it without SQL, so that the
 * escapes stay in it; an edited draft has none. Only a text that the escaping can have made is unescaped.
 */
export const unescaped = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: characters that the escaping replaces
  /^(?:[^\0\b\t\n\r\u001a"'\\]|\\[0btnrZ"'\\])*$/.test(text)
    ? text.replace(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter)
    : text;

const parsed = (text: unknown): unknown => {
  for (const json of [String(text), unescaped(String(text))]) {
    try {
      return JSON.parse(json);
    } catch {}
  }
  return undefined;
};

const versionOf = ({
  version,
  prompt,
  tags: tagText,
  metaProperties: metaText,
}: JsonObject): ForeignVersion => {
  if (!/^\d+\.\d+\.\d+$/.test(String(version))) {
    throw new Unfit(`its version ${JSON.stringify(version)} is not MAJOR.MINOR.PATCH`);
  }
  const tags = parsed(tagText);
  const metaProperties = parsed(metaText);
  if (!Array.isArray(tags) || !isObject(metaProperties)) {
    throw new Unfit(`version ${version}: its tags or metaProperties are not JSON`);
  }
  const content = { prompt: unescaped(String(prompt)), tags: tags.map(String), metaProperties };
  return { version: String(version), content };
};

const rowsOf = (file: string): JsonObject[] => {
  try {
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
    return lines.map((line, index) => {
      const row: unknown = JSON.parse(line);
      if (isObject(row) && FIELDS.every((field) => typeof row[field] === 'string')) return row;
      throw wrongUsage(`Line ${index + 1} of ${file} lacks one of ${FIELDS.join(', ')}.`);
    });
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw wrongUsage(
      `${file} is not a file with one JSON object in each line${code === undefined ? '' : ` (${code})`}.`,
    );
  }
};

/**
 * The prompts in an export of OpenLIT's database: one JSON object in each line, with the fields of `FIELDS`. Drafts are
 * left out. Errors: CliError `usage`.
 */
export const openlitPrompts = (file: string): Promise<ForeignPrompt[]> => {
  const published = rowsOf(file).filter(({ status }) => status !== 'DRAFT');
  const names = [...new Set(published.map(({ name }) => String(name)))].sort();
  return Promise.all(
    names.map((name) =>
      foreignPrompt(
        unescaped(name),
        published.filter((row) => row.name === name),
        versionOf,
      ),
    ),
  );
};
