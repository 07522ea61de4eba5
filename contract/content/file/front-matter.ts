import {
  CST,
  type Document,
  isAlias,
  isPair,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  parseDocument,
  Scalar,
  stringify,
  visit,
} from 'yaml';
import type { JsonObject } from '../../fields/patterns.ts';
import { controlAt, withoutControls } from './controls.ts';
import { PromptFileError } from './error.ts';

/** YAML as an object, and what knows where its values are. */
export interface FrontMatter {
  readonly fields: JsonObject;
  /** Throws a `PromptFileError` at the value under a path, or at the nearest one around it. */
  readonly refuse: (problem: string, path: readonly (string | number)[]) => never;
}

const OPTIONS = { intAsBigInt: true, uniqueKeys: true, stringKeys: false } as const;

const plainScalars = (document: Document.Parsed): Scalar[] => {
  const scalars: Scalar[] = [];
  visit(document, {
    Scalar: (_key, scalar) => {
      if (scalar.type === Scalar.PLAIN) scalars.push(scalar);
    },
  });
  return scalars;
};

const ROUNDED = 'This integer would be rounded. Write it as a string, in quotes.';

const scalarProblem = ({ value, source }: Scalar, older: unknown) => {
  if (typeof value === 'bigint' && !Number.isSafeInteger(Number(value))) return ROUNDED;
  if (typeof value === 'number' && !Number.isFinite(value)) return 'JSON has no such number.';
  return Object.is(value, older) && source !== '<<'
    ? undefined
    : `YAML 1.1 reads "${source}" differently. Put it in quotes, or write it as YAML 1.2 and 1.1 read it alike.`;
};

type Fail = (problem: string, node: unknown) => void;

const checkNode = (node: Node, fail: Fail) => {
  if (isAlias(node) || node.anchor !== undefined) fail('Anchors and aliases are not supported.', node);
  else if (node.tag !== undefined) fail('Tags are not supported.', node);
};

/** Refuses what JSON does not have, and what YAML 1.1 and 1.2 read differently. */
const checkDocument = (document: Document.Parsed, text: string, fail: Fail) => {
  visit(document, {
    Pair: (_key, { key }) => {
      if (!isScalar(key) || typeof key.value !== 'string')
        fail('Keys must be strings. Put it in quotes.', key);
    },
    Node: (_key, node) => checkNode(node, fail),
  });
  const older = plainScalars(
    parseDocument(text, { ...OPTIONS, version: '1.1', schema: 'yaml-1.1', merge: false }),
  );
  plainScalars(document).forEach((scalar, index) => {
    const problem = scalarProblem(scalar, older[index]?.value);
    if (problem !== undefined) fail(problem, scalar);
  });
};

const numbers = (_key: unknown, value: unknown): unknown =>
  typeof value === 'bigint' ? Number(value) : value;

/** The parser's time grows with the square of what a mapping holds. */
const MOST_NODES = 10_000;

// Each node has one of these tokens, or follows one.
const NODES = new Set<string | null>([
  ...['scalar', 'single-quoted-scalar', 'double-quoted-scalar', 'block-scalar', 'alias'],
  ...['flow-map-start', 'flow-seq-start', 'seq-item-ind', 'comma'],
]);

const checkSize = (text: string, line: number) => {
  let nodes = 0;
  for (const token of new Lexer().lex(text)) {
    if (NODES.has(CST.tokenType(token)) && ++nodes > MOST_NODES)
      throw new PromptFileError(`The front matter is too large: it has more than ${MOST_NODES} entries.`, {
        line,
        column: 1,
      });
  }
};

/**
 * Reads front matter: YAML 1.2 without anchors, tags, and what YAML 1.1 reads differently.
 * @param firstLine - The line of the file on which the text begins, from 1.
 */
export const parseFrontMatter = (text: string, firstLine: number): FrontMatter => {
  const lineCounter = new LineCounter();
  checkSize(text, firstLine);
  const document = parseDocument(text, { ...OPTIONS, version: '1.2', schema: 'core', lineCounter });
  const refuseAt = (problem: string, offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    throw new PromptFileError(problem, { line: line + firstLine - 1, column: col });
  };
  const [error] = document.errors;
  if (error !== undefined) refuseAt(error.message.split(' at line ')[0] ?? '', error.pos[0]);
  checkDocument(document, text, (problem, node) => refuseAt(problem, (node as Node | null)?.range?.[0] ?? 0));
  const fields = document.toJS({ reviver: numbers }) ?? {};
  if (typeof fields !== 'object' || Array.isArray(fields)) refuseAt('The front matter must be a mapping.', 0);
  return {
    fields: fields as JsonObject,
    refuse: (problem, path) => {
      for (let length = path.length; length > 0; length--) {
        const found = nodeAt(document, path.slice(0, length));
        if (found !== undefined) refuseAt(problem, found);
      }
      return refuseAt(problem, 0);
    },
  };
};

/** Where the entry under a path begins: its key, if it has one. */
const nodeAt = (document: Document.Parsed, path: readonly (string | number)[]) => {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const items: readonly unknown[] = (parent as { items?: readonly unknown[] } | null)?.items ?? [];
  for (const [index, item] of items.entries()) {
    const node = isPair(item) && isScalar(item.key) && item.key.value === path.at(-1) ? item.key : item;
    if (node !== item || index === path.at(-1)) return (node as Node).range?.[0];
  }
  return undefined;
};

/** A text with control characters is written in double quotes, where escapes stand for them. */
const quotedIfHidden = (value: unknown): unknown => {
  if (typeof value !== 'string' || controlAt(value) < 0) return value;
  const scalar = new Scalar(value);
  scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
};

/** YAML that YAML 1.1 and 1.2 read alike; empty without fields. */
export const printFrontMatter = (fields: JsonObject): string =>
  Object.keys(fields).length === 0
    ? ''
    : withoutControls(
        stringify(fields, (_key, value: unknown) => quotedIfHidden(value), {
          version: '1.2',
          compat: 'yaml-1.1',
          lineWidth: 0,
          aliasDuplicateObjects: false,
        }),
      );
