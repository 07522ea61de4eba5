import { diffArrays, diffWordsWithSpace } from 'diff';
import type { Content } from '../../../../../contract/content/content.ts';
import { fragmentNameOf } from '../../../../../contract/content/fragments.ts';
import { canonicalJson, shortest } from '../../../../../contract/content/hash.ts';
import { isObject } from '../../../../../contract/fields/patterns.ts';
import { isPlaceholder, templatesOf } from '../../../../../contract/templates.ts';
import { headingOf } from '../editor/values.ts';
import { wordsOf } from './text-parts.ts';

/** A content, with its note if that is compared too. */
export type Compared = Content & { readonly note?: string | undefined };

/** A text of a content: its template, or a message of a chat. */
export interface Piece {
  readonly heading: string;
  readonly text: string;
}

/** A stretch of a line, and whether the other text has something else in its place. */
export interface Stretch {
  readonly text: string;
  readonly isChanged: boolean;
}

/** A line of one of two texts. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly stretches: readonly Stretch[];
}

/** A line that both texts have, or a line with what takes its place, of which either can be absent. */
export interface Row {
  readonly before: Line | undefined;
  readonly after: Line | undefined;
  readonly isSame: boolean;
}

// Beyond it, whatever may have changed counts as changed.
const PATIENCE_MS = 200;
const LINE_PATIENCE_MS = 20;

interface Pair {
  /** Indexes; undefined where nothing takes the other's place. */
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly isSame: boolean;
}

/** Pairs the items of two lists: equal ones, and between them those that take each other's place, in order. */
const paired = (before: readonly string[], after: readonly string[]): Pair[] => {
  const parts = diffArrays([...before], [...after], { timeout: PATIENCE_MS }) ?? [
    { value: before, added: false, removed: true },
    { value: after, added: true, removed: false },
  ];
  const pairs: Pair[] = [];
  let [from, to, old, now] = [0, 0, 0, 0];
  const pairChanged = () => {
    for (; from < old || to < now; )
      pairs.push({
        before: from < old ? from++ : undefined,
        after: to < now ? to++ : undefined,
        isSame: false,
      });
  };
  for (const { value, added, removed } of parts) {
    if (!added && !removed) pairChanged();
    if (!added) old += value.length;
    if (!removed) now += value.length;
    if (!added && !removed) while (from < old) pairs.push({ before: from++, after: to++, isSame: true });
  }
  pairChanged();
  return pairs;
};

const whole = (text: string): readonly Stretch[] => [{ text, isChanged: false }];

const stretchesOf = (before: string, after: string): readonly (readonly Stretch[])[] => {
  const parts = diffWordsWithSpace(before, after, { timeout: LINE_PATIENCE_MS });
  if (parts === undefined) return [whole(before), whole(after)];
  const kept = (other: 'added' | 'removed') =>
    parts
      .filter((part) => !part[other])
      .map(({ value, added, removed }) => ({ text: value, isChanged: added || removed }));
  return [kept('added'), kept('removed')];
};

/** The lines of two texts side by side; a text that is undefined has none. */
export const rowsOf = (before: string | undefined, after: string | undefined): Row[] => {
  const old = before?.split('\n') ?? [];
  const now = after?.split('\n') ?? [];
  return paired(old, now).map(({ before: from, after: to, isSame }) => {
    const [left, right] = [old[from ?? -1], now[to ?? -1]];
    const [one = [], other = []] =
      isSame || left === undefined || right === undefined
        ? [whole(left ?? ''), whole(right ?? '')]
        : stretchesOf(left, right);
    return {
      before: from === undefined ? undefined : { number: from + 1, stretches: one },
      after: to === undefined ? undefined : { number: to + 1, stretches: other },
      isSame,
    };
  });
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
  return paired(texts(old), texts(now)).map((pair) => ({
    before: old[pair.before ?? -1],
    after: now[pair.after ?? -1],
    isSame: pair.isSame,
    /** Its number in the newer content, otherwise in the older one, from 1. */
    number: (pair.after ?? pair.before ?? 0) + 1,
  }));
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
