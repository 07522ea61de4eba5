import { diffArrays } from 'diff';
import type { Content } from '../../../../../contract/content/content.ts';
import { fragmentNameOf } from '../../../../../contract/content/fragments.ts';
import { canonicalJson, shortest } from '../../../../../contract/content/hash.ts';
import { isPlaceholder, templatesOf } from '../../../../../contract/content/templates.ts';
import { isObject } from '../../../../../contract/fields/patterns.ts';
import { headingOf } from '../editor/content.ts';
import { wordsOf } from './text-parts.ts';

/** A content, with its note if that is compared too. */
export type Compared = Content & { readonly note?: string | undefined };

/** A text of a content: its template, or a message of a chat. */
export interface Piece {
  readonly heading: string;
  readonly text: string;
}

/** Lines that both texts have, or what takes each other's place, of which either can be empty. */
export type Block = { readonly same: readonly string[] } | Record<'removed' | 'added', readonly string[]>;

// Beyond it, whatever may have changed counts as changed.
const PATIENCE_MS = 200;

/** What is equal in two lists, and between it what takes each other's place, in order. */
export const blocksOf = (before: readonly string[], after: readonly string[]): Block[] => {
  const parts = diffArrays([...before], [...after], { timeout: PATIENCE_MS });
  if (parts === undefined) return [{ removed: before, added: after }];
  const blocks: Block[] = [];
  for (const { value, added, removed } of parts) {
    const last = blocks.at(-1);
    if (!added && !removed) blocks.push({ same: value });
    else if (added && last && 'removed' in last) blocks[blocks.length - 1] = { ...last, added: value };
    else blocks.push({ removed: removed ? value : [], added: added ? value : [] });
  }
  return blocks;
};

const ENDS = /\r\n|\r|\n/g;

/** How the lines of a content end: `LF`, `CRLF` or `CR`; `mixed`; undefined without a line break. */
const endsOf = (content: Content): string | undefined => {
  const found = new Set(templatesOf(content).flatMap((text) => text.match(ENDS) ?? []));
  const [one] = [...found];
  if (found.size > 1) return 'mixed';
  return one?.replace('\r', 'CR').replace('\n', 'LF');
};

const piecesOf = (content: Content): Piece[] =>
  content.type === 'chat'
    ? content.messages.map((message) => ({
        heading: `${headingOf(message)}${isPlaceholder(message) && message.optional ? ', optional' : ''}`,
        text: isPlaceholder(message) ? '' : message.content,
      }))
    : [{ heading: 'template', text: content.prompt }];

/** The texts of two contents in pairs; the lines of all of them end with a line feed. */
export const pairsOf = (before: Content, after: Content) => {
  // Where both mix several, only the lines tell what changed.
  const isMixed = [before, after].every((content) => endsOf(content) === 'mixed');
  const [old = [], now = []] = [before, after].map((content) =>
    piecesOf(content).map(({ heading, text }) => ({
      heading,
      text: isMixed ? text.replaceAll('\r', '␍') : text.replace(ENDS, '\n'),
    })),
  );
  const texts = (pieces: readonly Piece[]) => pieces.map((piece) => JSON.stringify(piece));
  let [from, to] = [0, 0];
  return blocksOf(texts(old), texts(now)).flatMap((block) => {
    const isSame = 'same' in block;
    const { removed, added } = isSame ? { removed: block.same, added: block.same } : block;
    const pairs = Array.from({ length: Math.max(removed.length, added.length) }, (_, at) => ({
      before: at < removed.length ? old[from + at] : undefined,
      after: at < added.length ? now[to + at] : undefined,
      isSame,
      /** Its number in the newer content, otherwise in the older one, from 1. */
      number: (at < added.length ? to : from) + at + 1,
    }));
    from += removed.length;
    to += added.length;
    return pairs;
  });
};

/** What a content has beside its texts, by the names that people read. */
const fieldsOf = (content: Content): Readonly<Record<string, unknown>> => {
  const found = shortest(content);
  const { type = 'text', model, variables = {}, tools = [], includes = [], tags = [] } = found;
  return {
    Type: type,
    Model: model,
    Tags: tags.join(', ') || undefined,
    Variables: Object.fromEntries(Object.entries(variables).map(([name, each]) => [name, wordsOf(each)])),
    Fragments: Object.fromEntries(
      includes.map((each) => [fragmentNameOf(each), each.slice(fragmentNameOf(each).length + 1)]),
    ),
    Tools: Object.fromEntries(tools.map(({ name, ...tool }) => [name, tool])),
    Configuration: found.config ?? {},
    Output: found.output ?? {},
    Metadata: found.metaProperties ?? {},
  };
};

/** A field of a content that differs, with its values as text; null: it has none. */
export interface FieldChange {
  readonly name: string;
  readonly from: string | null;
  readonly to: string | null;
}

const textOf = (value: unknown): string | null =>
  value === undefined ? null : typeof value === 'string' ? value : canonicalJson(value);

/** The differences of two values, down to the fields of objects that both have. */
const differences = (name: string, before: unknown, after: unknown): FieldChange[] => {
  if (!isObject(before) || !isObject(after)) {
    const [from, to] = [textOf(before), textOf(after)];
    return from === to ? [] : [{ name, from, to }];
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const of = (value: Readonly<Record<string, unknown>>, key: string) =>
    Object.hasOwn(value, key) ? value[key] : undefined;
  return names.flatMap((key) =>
    differences(name === '' ? key : `${name} · ${key}`, of(before, key), of(after, key)),
  );
};

/** What differs beside the texts. A note is compared if both have one. */
export const fieldChanges = (before: Compared, after: Compared): FieldChange[] => {
  const noted = before.note !== undefined && after.note !== undefined;
  // Text without a line break has no other kind of them.
  const ends = [before, after].map(endsOf);
  const furtherOf = ({ note }: Compared, end: string | undefined) => ({
    ...(noted && { Note: note }),
    ...(!ends.includes(undefined) && { 'Line ends': end }),
  });
  return differences(
    '',
    { ...furtherOf(before, ends[0]), ...fieldsOf(before) },
    { ...furtherOf(after, ends[1]), ...fieldsOf(after) },
  );
};
