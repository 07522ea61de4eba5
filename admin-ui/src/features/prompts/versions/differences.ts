import type { Content } from '../../../../../contract/content/content.ts';
import { canonicalJson, shortest } from '../../../../../contract/content/hash.ts';
import { isObject } from '../../../../../contract/fields/patterns.ts';
import { isPlaceholder } from '../../../../../contract/templates.ts';

/** A part of a content that is compared as a text: the template, a message, or a placeholder for messages. */
export interface TextPart {
  /** Its role, `placeholder`, or `text`. */
  readonly title: string;
  readonly text: string;
}

/** A part before and after; one of them is absent if it was added or removed. */
export type PartChange =
  | { readonly kind: 'same' | 'changed'; readonly before: TextPart; readonly after: TextPart }
  | { readonly kind: 'removed'; readonly before: TextPart; readonly after?: undefined }
  | { readonly kind: 'added'; readonly before?: undefined; readonly after: TextPart };

/** The texts of a content in order. */
const textParts = (content: Content): TextPart[] =>
  content.type === 'chat'
    ? content.messages.map((each) =>
        isPlaceholder(each)
          ? { title: 'placeholder', text: each.optional === true ? `${each.name} (optional)` : each.name }
          : { title: each.role, text: each.content },
      )
    : [{ title: 'text', text: content.prompt }];

const isSame = (a: TextPart | undefined, b: TextPart | undefined): boolean =>
  a !== undefined && a.title === b?.title && a.text === b.text;

/** For each pair of positions, the length of the longest sequence that both have in common from there on. */
const commonLengths = (before: readonly TextPart[], after: readonly TextPart[]): number[][] => {
  const lengths = before
    .concat([{ title: '', text: '' }])
    .map(() => new Array<number>(after.length + 1).fill(0));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (row !== undefined)
        row[j] = isSame(before[i], after[j]) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  return lengths;
};

/** Pairs what was removed and added between two equal parts, in order, if a pair has the same title. */
const paired = (removed: readonly TextPart[], added: readonly TextPart[]): PartChange[] => {
  const rest = [...added];
  const changes = removed.flatMap((before): PartChange[] => {
    const index = rest.findIndex(({ title }) => title === before.title);
    if (index === -1) return [{ kind: 'removed', before }];
    const taken = rest.splice(0, index + 1);
    return taken.map((after, at) =>
      at === index ? { kind: 'changed', before, after } : { kind: 'added', after },
    );
  });
  return [...changes, ...rest.map((after): PartChange => ({ kind: 'added', after }))];
};

/** The texts of two contents, message by message, in order. */
export const partChanges = (before: Content, after: Content): PartChange[] => {
  const [old, now] = [textParts(before), textParts(after)];
  const lengths = commonLengths(old, now);
  const changes: PartChange[] = [];
  let [removed, added]: [TextPart[], TextPart[]] = [[], []];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [earlier, later] = [old[i], now[j]];
    if (earlier !== undefined && later !== undefined && isSame(earlier, later)) {
      changes.push(...paired(removed, added), { kind: 'same', before: earlier, after: later });
      [removed, added] = [[], []];
      i += 1;
      j += 1;
    } else if (
      earlier !== undefined &&
      (later === undefined || (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))
    ) {
      removed.push(earlier);
      i += 1;
    } else if (later !== undefined) {
      added.push(later);
      j += 1;
    }
  }
  return [...changes, ...paired(removed, added)];
};

/** A field that differs, by its path, such as `config.temperature`; values as text, absent if it has none. */
export interface FieldChange {
  readonly path: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** The values of an object by their paths. An empty object and a list count as values. */
const leaves = (value: unknown, path: string): [path: string, value: unknown][] =>
  isObject(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([name, each]) => leaves(each, `${path}.${name}`))
    : [[path, value]];

const NAMES = { metaProperties: 'metadata' } as const;

const fieldsOf = (content: Content): Map<string, unknown> => {
  const { variables, model, config, output, tools = [], metaProperties } = shortest(content);
  const byName = Object.fromEntries(tools.map(({ name, ...tool }) => [name, tool]));
  const fields = { variables, model, config, output, tools: byName, [NAMES.metaProperties]: metaProperties };
  return new Map(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined || (name === 'tools' && tools.length === 0) ? [] : leaves(value, name),
    ),
  );
};

// Texts are shown as they are, unless one of the two is not a text: `0.2` and `"0.2"` differ.
const texts = (values: readonly [before: unknown, after: unknown]) => {
  const areTexts = values.every((value) => value === undefined || typeof value === 'string');
  return values.map((value) =>
    value === undefined ? undefined : areTexts ? String(value) : JSON.stringify(value, undefined, 2),
  );
};

/** The fields besides texts and tags that differ: declarations, model, config, output, tools and metadata. */
export const fieldChanges = (before: Content, after: Content): FieldChange[] => {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const isEqual = (path: string): boolean =>
    old.has(path) === now.has(path) && canonicalJson(old.get(path)) === canonicalJson(now.get(path));
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((path) => !isEqual(path))
    .map((path) => {
      const [earlier, later] = texts([old.get(path), now.get(path)]);
      return { path, before: earlier, after: later };
    });
};
