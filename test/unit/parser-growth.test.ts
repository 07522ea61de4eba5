import fc from 'fast-check';
import { variablesOf } from '../../contract/content/templates.ts';
import { promptGetCompiled } from '../../contract/endpoints/prompts/prompt-get-compiled.ts';
import { parseEnv } from '../../contract/env-file.ts';
import { isCidr } from '../../lambdas/core/api-keys/addresses.ts';
import { bearerOf } from '../../lambdas/core/api-keys/api-keys.ts';
import { decodeCursor, decodeEntryCursor, encodeCursor } from '../../lambdas/core/lists/lists.ts';
import { versionSortKey } from '../../lambdas/core/prompts/prompts.ts';
import { createReader } from '../../lambdas/core/prompts/readings.ts';
import { compileReply } from '../../lambdas/core/prompts/templates.ts';
import type { HttpEvent } from '../../lambdas/http/call.ts';
import { parseBody } from '../../lambdas/http/input.ts';

interface Parser {
  readonly parse: (text: string) => unknown;
  /** The tokens of the parser; texts are made of these. */
  readonly tokens: readonly string[];
  /** Texts that were slow once, or are as complex as possible. */
  readonly known?: readonly string[];
}

const body = (text: string): unknown =>
  parseBody({ ...promptGetCompiled, bodyBytes: Number.POSITIVE_INFINITY }, { body: text } as HttpEvent);

const BLANKS = [' ', '\t', '\n', '\r', '\u2028', '\u00a0'];

const PARSERS: Readonly<Record<string, Parser>> = {
  'a .env text': {
    parse: parseEnv,
    tokens: [...BLANKS, '#', '=', ':', '"', "'", '`', '\\', 'export ', 'A', '\nA=', '\nB="', '\\n', '-'],
    known: [' #\u2028', 'A= #', 'A="\\"', '\nA="\\"x', '\nA=\'x\nB="x'],
  },
  'the placeholders of a template': {
    parse: variablesOf,
    tokens: [...BLANKS, '{', '}', '{{', '}}', 'a', '{{a}}', '$&', '\\'],
  },
  'a compiled template': {
    parse: (prompt) => compileReply({ prompt }, { shouldCompile: true, variables: { a: '{{a}}' } }),
    tokens: [...BLANKS, '{', '}', '{{a}}', '{{ a }}', '"', '\\', '\u0001'],
  },
  'a text that may be a compiled template': {
    // The worst texts for a search that begins again: all alike, and different where each comparison ends.
    parse: (text) => {
      const half = Math.floor(text.length / 2);
      return [
        createReader(text)(`${text.slice(half)}{{a}}`),
        createReader(text)(`${text.slice(half)}b{{a}}${text}`),
      ];
    },
    tokens: ['a', 'aa', 'ab', 'b', '{{a}}', ' '],
    known: ['a', 'ab'],
  },
  'a version': { parse: versionSortKey, tokens: ['0', '1', '9', '.', '-', 'v', '999999999'] },
  'the cursor of a list': {
    parse: (text) => decodeCursor(text, (value): value is string => typeof value === 'string'),
    tokens: ['A', 'W1tb', 'IiIi', '-', '_', '=', ' '],
  },
  'the cursor of entries': {
    parse: (text) => decodeEntryCursor(encodeCursor(`2026-01-01T00:00:00.000Z#${text}`), '2026-12-31'),
    tokens: ['#', '-', 'a', '\n', 'Z#'],
  },
  'the JSON of a body': {
    parse: body,
    tokens: ['[', ']', '{"a":', '}', '{', '"', '\\', '1', '9', 'e', ',', ' ', 'null,'],
    known: ['[', '{"a":', '[1,', '[[],', '"\\\\'],
  },
  'an Authorization header': { parse: bearerOf, tokens: ['Bearer ', ' ', 'x', '\t', 'cue_', '_'] },
  'a range of addresses': { parse: isCidr, tokens: ['1', '.', ':', '::', '/', 'f', '%', '::ffff:', '0'] },
};

const KB = 1024;
const SIZES = [128, 1024];
const FIRST = 16;

/**
 * How much more than in proportion to the text the work may grow: garbage collection and caches take up to twice the
 * time for a large text, while work that grows with the square takes 4 to 64 times as much.
 */
const SLACK = 3;
/** Times below this number of microseconds cannot be compared. */
const LEAST_MICROSECONDS = 4_000;

// Processor time of this thread only: other work on the machine does not count.
const work = (parse: () => unknown): number => {
  const before = process.threadCpuUsage();
  try {
    parse();
  } catch {
    // Most of these texts are rejected.
  }
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
};

const grows = ({ parse }: Parser, unit: string, end: string): void => {
  const cost = (size: number): number => {
    const text = unit.repeat(Math.ceil((size * KB) / unit.length)).slice(0, size * KB) + end;
    return work(() => parse(text));
  };
  cost(FIRST);
  const first = Math.max(cost(FIRST), LEAST_MICROSECONDS);
  for (const size of SIZES) {
    const most = (first * SLACK * size) / FIRST;
    // A second time if something of the machine's made the first one slow.
    const within = cost(size) <= most || cost(size) <= most;
    expect({ size, within }).toEqual({ size, within: true });
  }
};

test.each(Object.entries(PARSERS))(
  'the work of reading %s grows in proportion to its length, up to 1 MB',
  (_, parser) => {
    const texts = (most: number) =>
      fc
        .array(fc.constantFrom(...parser.tokens), { minLength: 1, maxLength: most })
        .map((parts) => parts.join(''));
    for (const unit of parser.known ?? []) for (const end of ['', '\u2028', 'x']) grows(parser, unit, end);
    fc.assert(
      fc.property(texts(5), texts(2), (unit, end) => grows(parser, unit, end)),
      { numRuns: 6 },
    );
  },
);
