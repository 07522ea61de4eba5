import fc from 'fast-check';
import { undeclaredIn } from '../../../admin-ui/src/features/prompts/editor/content.ts';
import { colorOfLabel } from '../../../admin-ui/src/features/prompts/labels/label-names.ts';
import {
  daysBetween,
  seriesOf,
  usageDays,
  usageOf,
} from '../../../admin-ui/src/features/prompts/usage/usage-days.ts';
import { partsOf } from '../../../admin-ui/src/features/prompts/versions/text-parts.ts';
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

test('fragments that are included without being declared are named', () => {
  const prompt = 'Hi {{user}}. {{> "shared/tone"}}';
  expect(undeclaredIn({ prompt, includes: ['shared/tone@1.2.0'] })).toEqual([]);
  expect(undeclaredIn({ prompt })).toEqual(['shared/tone']);
});

test('every day is drawn, across months and leap days', () => {
  expect(daysBetween('2028-02-28', '2028-03-01')).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
});

const perVersion = (of: (minor: number) => number) =>
  Array.from({ length: 11 }, (_, minor) => ({
    day: '2026-01-02',
    name: `1.${minor}.0`,
    count: of(minor),
  }));

test('the most fetched versions have their own color, the others are drawn together, and none is lost', () => {
  const counts = perVersion((minor) => minor + 1);
  const series = seriesOf(counts);
  expect(series).toEqual([...[10, 9, 8, 7, 6, 5, 4, 3].map((minor) => `1.${minor}.0`), 'others']);
  const [empty, full] = usageDays({ from: '2026-01-01', to: '2026-01-02' }, counts, series);
  expect(empty?.counts.every((count) => count === 0)).toBe(true);
  expect(full?.counts).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 1 + 2 + 3]);
});

test('the latest and labelled versions keep their own color, however rarely they are fetched', () => {
  const counts = perVersion((minor) => 10 + minor);
  expect(seriesOf(counts)).not.toContain('1.0.0');
  expect(seriesOf(counts, ['1.0.0', '1.8.0', '2.0.0'])).toEqual([
    '1.0.0',
    '1.8.0',
    '1.10.0',
    '1.9.0',
    '1.7.0',
    '1.6.0',
    '1.5.0',
    '1.4.0',
    'others',
  ]);
});

const count = (day: string, version: string, apiKeyId: string) => ({ day, version, apiKeyId });

test('a filter narrows the usage to an API key and a version', () => {
  const counts = [
    count('2026-03-01', '1.0.0', 'a'),
    count('2026-03-02', '1.1.0', 'a'),
    count('2026-03-02', '1.0.0', 'b'),
  ];
  const failures = counts.map((one) => ({ ...one, isServed: false }));
  const usage = { counts, failures } as unknown as Parameters<typeof usageOf>[0];
  expect(usageOf(usage, { key: 'a' }).failures).toMatchObject([counts[0], counts[1]]);
  expect(usageOf(usage, { key: 'a', version: '1.0.0' })).toMatchObject({
    counts: [counts[0]],
    failures: [counts[0]],
  });
});

test('the labels that the UI suggests have a color of their own, and no label looks like a warning', () => {
  const own = ['production', 'staging', 'preview'].map(colorOfLabel);
  expect(new Set(own)).toEqual(new Set(['spruce', 'slate', 'plum']));
  for (const label of ['canary', 'latest', 'constructor', '__proto__'])
    expect(colorOfLabel(label)).toBe('gray');
});
