import fc from 'fast-check';
import { sidesOf } from '../../../admin-ui/src/components/charts/marks.ts';
import { partFor } from '../../../admin-ui/src/features/prompts/editor/review/breaking.ts';
import { withChanges } from '../../../admin-ui/src/features/prompts/editor/template/line-breaks.ts';
import { lookOfLabel } from '../../../admin-ui/src/features/prompts/labels/label-names.ts';
import { parseObject } from '../../../admin-ui/src/features/prompts/try-it/json-object.ts';
import { partsOf } from '../../../admin-ui/src/features/prompts/try-it/text-parts.ts';
import {
  daysBetween,
  seriesOf,
  usageByKey,
  usageDays,
  usageWithin,
} from '../../../admin-ui/src/features/prompts/usage/usage-days.ts';
import { compile } from '../../support/compile.ts';

test('the parts of a compiled text, joined, are what the service returns', () => {
  const piece = fc.constantFrom('{{a}}', '{{ b }}', '{{__proto__}}', '{{', '}}', ' ', 'text', '\n', '$&');
  fc.assert(
    fc.property(
      fc.array(piece),
      fc.dictionary(fc.constantFrom('a', 'b'), fc.string()),
      (pieces, variables) => {
        const template = pieces.join('');
        const parts = partsOf(template, variables);
        expect(parts.map(({ text }) => text).join('')).toBe(compile(template, variables).text);
      },
    ),
  );
});

test('a major version is suggested if callers can break, and only then', () => {
  expect(partFor({ prompt: 'Hello {{user}}' }, { prompt: 'Good day {{ user }}' })).toBe('minor');
  expect(partFor({ prompt: 'Hello {{user}}' }, { prompt: 'Hello {{user}}, {{day}}' })).toBe('major');
  expect(partFor({ prompt: 'Hello' }, { type: 'chat', messages: [] })).toBe('major');
});

test('metadata must be a JSON object, and an empty field is an empty object', () => {
  expect(parseObject(' ')).toEqual({});
  expect(parseObject('{"a": [1]}')).toEqual({ a: [1] });
  for (const text of ['[]', 'null', '1', '"a"', '{', '{"a": }']) expect(parseObject(text)).toBeUndefined();
});

test('every day is drawn, across months and leap days', () => {
  expect(daysBetween('2028-02-28', '2028-03-01')).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
});

test('the most fetched versions have their own color, the others are drawn together, and none is lost', () => {
  const counts = Array.from({ length: 11 }, (_, minor) => ({
    day: '2026-01-02',
    version: `1.${minor}.0`,
    count: minor + 1,
  }));
  const usage = { from: '2026-01-01', to: '2026-01-02', counts };
  const series = seriesOf(usage);
  expect(series).toEqual([...[10, 9, 8, 7, 6, 5, 4, 3].map((minor) => `1.${minor}.0`), 'others']);
  const [empty, full] = usageDays(usage, series);
  expect(empty?.counts.every((count) => count === 0)).toBe(true);
  expect(full?.counts).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 1 + 2 + 3]);
});

const lines = (text: string) => text.replace(/\r\n?/g, '\n');

test('typing into a text changes no other line break', () => {
  const text = 'one\r\ntwo\nthree\rfour';
  const typed = (from: number, to: number, insert: string) => {
    const shown = lines(text).slice(0, from) + insert + lines(text).slice(to);
    return withChanges(text, [{ from, to, insert }], shown);
  };
  expect(typed(3, 3, '!')).toBe('one!\r\ntwo\nthree\rfour');
  expect(typed(4, 7, 'II')).toBe('one\r\nII\nthree\rfour');
  expect(typed(3, 4, '')).toBe('onetwo\nthree\rfour');
  expect(typed(18, 18, '\nfive')).toBe('one\r\ntwo\nthree\rfour\r\nfive');
});

test('a text and its view in the editor stay in sync', () => {
  const some = (pieces: string[]) =>
    fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => all.join(''));
  const text = some(['a', '\r', '\n', '\r\n']);
  fc.assert(
    fc.property(text, some(['b', '\n']), fc.nat(12), fc.nat(4), (before, insert, start, length) => {
      const old = lines(before);
      const from = Math.min(start, old.length);
      const to = Math.min(from + length, old.length);
      const shown = old.slice(0, from) + insert + old.slice(to);
      expect(lines(withChanges(before, [{ from, to, insert }], shown))).toBe(shown);
    }),
  );
});

test('texts of nearby marks take the side that has room, or are hidden', () => {
  const marks = (...xs: number[]) => xs.map((x) => ({ x, text: '1.0.0' }));
  expect(sidesOf(marks(100, 200), 300)).toEqual(['left', 'left']);
  expect(sidesOf(marks(10, 200), 300)).toEqual(['right', 'left']);
  expect(sidesOf(marks(100, 110, 120, 130), 300)).toEqual(['left', undefined, undefined, 'right']);
  expect(sidesOf(marks(10), 30)).toEqual([undefined]);
});

test('the latest and labelled versions keep their own color, however rarely they are fetched', () => {
  const counts = Array.from({ length: 11 }, (_, minor) => ({
    ...{ day: '2026-03-01', version: `1.${minor}.0`, count: 10 + minor },
  }));
  expect(seriesOf({ counts })).not.toContain('1.0.0');
  expect(seriesOf({ counts }, ['1.0.0', '1.8.0', '2.0.0'])).toEqual([
    ...['1.10.0', '1.9.0', '1.8.0', '1.7.0', '1.6.0', '1.5.0', '1.4.0', '1.0.0'],
    'others',
  ]);
});

test('a filter narrows the chart to days, an API key and a version', () => {
  const count = (day: string, version: string, apiKeyId: string) => ({ day, version, apiKeyId, count: 1 });
  const counts = [
    count('2026-03-01', '1.0.0', 'a'),
    count('2026-03-02', '1.0.0', 'a'),
    count('2026-03-02', '1.1.0', 'a'),
    count('2026-03-02', '1.0.0', 'b'),
    count('2026-03-03', '1.0.0', 'a'),
  ];
  const range = { from: '2026-03-02', to: '2026-03-02' };
  const failures = counts;
  expect(usageWithin({ counts, failures }, { ...range, key: 'a' }).failures).toEqual([counts[1], counts[2]]);
  expect(usageWithin({ counts, failures }, { ...range, key: 'a', version: '1.0.0' })).toEqual({
    ...range,
    counts: [counts[1]],
    failures: [],
  });
});

test('the labels that the UI suggests have a look of their own, and no label looks like a warning', () => {
  const looks = ['production', 'staging', 'preview'].map((label) => JSON.stringify(lookOfLabel(label)));
  expect(new Set(looks).size).toBe(3);
  fc.assert(
    fc.property(fc.string(), (label) => {
      expect(looks).not.toContain(JSON.stringify(lookOfLabel(`team-${label}`)));
      expect(['gray', 'slate', 'plum', 'spruce']).toContain(lookOfLabel(label).color);
    }),
  );
});

test('the access history by API key adds up the fetches of each, most first', () => {
  const count = (apiKeyId: string, day: string, version: string, fetches: number) => ({
    ...{ apiKeyId, day, version, count: fetches },
  });
  const counts = [
    count('web', '2026-03-01', '1.9.0', 4),
    count('ci', '2026-03-02', '1.9.0', 9),
    count('web', '2026-02-27', '1.10.0', 6),
  ];
  expect(usageByKey(counts)).toEqual([
    { apiKeyId: 'web', count: 10, versions: ['1.10.0', '1.9.0'], lastDay: '2026-03-01' },
    { apiKeyId: 'ci', count: 9, versions: ['1.9.0'], lastDay: '2026-03-02' },
  ]);
});
