import fc from 'fast-check';
import { undeclaredIn } from '../../../admin-ui/src/features/prompts/editor/content.ts';
import { colorOfLabel } from '../../../admin-ui/src/features/prompts/labels/label-names.ts';
import { liveMoves } from '../../../admin-ui/src/features/prompts/live/live-moves.ts';
import {
  daysBetween,
  RESULTS,
  resultsOf,
  seriesOf,
  usageByKey,
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

const count = (day: string, version: string, apiKeyId: string, some = 1) => ({
  day,
  version,
  apiKeyId,
  count: some,
  lastAt: `${day}T10:00:00.000Z`,
});

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

test('the calls of a day are those that were served, those served with gaps, and those that failed', () => {
  const day = '2026-03-01';
  const failures = [true, false].map((isServed, index) => ({
    ...count(day, '1.0.0', 'a', 2 + index),
    isServed,
  }));
  const counts = resultsOf({ counts: [count(day, '1.0.0', 'a', 7)], failures } as never);
  expect(usageDays({ from: day, to: day }, counts, RESULTS)).toEqual([{ day, counts: [5, 2, 3] }]);
});

test('what went live under a label includes publishes and removals, and says which move is the last', () => {
  const entry = (subject: string, action: string, details: object) => ({
    entryId: '',
    kind: 'change' as const,
    requestId: '',
    at: '',
    actor: 'ada@example.com',
    subject,
    name: subject,
    action,
    details: { ...details },
  });
  const entries = [
    entry('a', 'version.publish', { version: '2.0.0', label: 'production', from: '1.0.0' }),
    entry('a', 'label.set', { label: 'staging', from: null, to: '1.0.0' }),
    entry('a', 'label.set', { label: 'production', from: '1.1.0', to: '1.0.0' }),
    entry('b', 'label.remove', { label: 'production', from: '1.0.0' }),
    entry('production', 'label.protect', { label: 'production' }),
    entry('b', 'prompt.create', { version: '1.0.0', label: 'production' }),
  ];
  const shown = (label: string) =>
    liveMoves(entries, label).map(({ promptId, from, to, isLast }) => [promptId, from, to, isLast]);
  expect(shown('production')).toEqual([
    ['a', '1.0.0', '2.0.0', true],
    ['a', '1.1.0', '1.0.0', false],
    ['b', '1.0.0', undefined, true],
    ['b', undefined, '1.0.0', false],
  ]);
  expect(shown('latest')).toEqual([['a', undefined, '2.0.0', true]]);
});

test('the labels that the UI suggests have a color of their own, and no label looks like a warning', () => {
  const own = ['production', 'staging', 'preview'].map(colorOfLabel);
  expect(new Set(own)).toEqual(new Set(['spruce', 'slate', 'plum']));
  for (const label of ['canary', 'latest', 'constructor', '__proto__'])
    expect(colorOfLabel(label)).toBe('gray');
});

test('the usage by API key adds up the calls of each, most first, and names one whose calls all fail', () => {
  const counts = [
    count('2026-03-01', '1.9.0', 'web', 4),
    count('2026-03-02', '1.9.0', 'ci', 9),
    count('2026-02-27', '1.10.0', 'web', 6),
  ];
  const failures = [
    { day: '2026-03-02', apiKeyId: 'old', isServed: false, count: 2 },
    { day: '2026-03-02', apiKeyId: 'ci', isServed: true, count: 3 },
  ];
  const keys = ['old', 'ci', 'web', 'idle'].map((keyId) => ({ keyId, name: keyId }));
  const usage = { from: '', to: '', events: [], counts, failures, keys };
  expect(usageByKey(usage)).toMatchObject([
    {
      keyId: 'web',
      fetches: 10,
      gaps: 0,
      failed: 0,
      versions: ['1.10.0', '1.9.0'],
      lastAt: '2026-03-01T10:00:00.000Z',
    },
    { keyId: 'ci', fetches: 9, gaps: 3, failed: 0, versions: ['1.9.0'], lastAt: '2026-03-02T10:00:00.000Z' },
    { keyId: 'old', fetches: 0, gaps: 0, failed: 2, versions: [], lastAt: undefined },
  ]);
});
