import path from 'node:path';
import { filesToRepeat, type JestReport, judge } from '../../scripts/flaky.ts';

type Results = Readonly<Record<string, Readonly<Record<string, boolean>>>>;

/** A report of files with their tests and whether each passed; a file without tests could not be loaded. */
const reportOf = (files: Results): JestReport => {
  const testResults = Object.entries(files).map(([file, tests]) => {
    const passed = Object.values(tests);
    return {
      name: path.resolve(file),
      status: passed.length > 0 && passed.every(Boolean) ? 'passed' : 'failed',
      assertionResults: Object.entries(tests).map(([fullName, holds]) => ({
        fullName,
        status: holds ? 'passed' : 'failed',
      })),
    };
  });
  return { testResults };
};

const first = reportOf({
  'a.test.ts': { one: true },
  'b.test.ts': { two: true, three: false },
  'c.test.ts': {},
});

test('files with a failed test and files that cannot be loaded run again', () => {
  expect(filesToRepeat(first)).toEqual([path.resolve('b.test.ts'), path.resolve('c.test.ts')]);
});

test('no file runs again if many failed', () => {
  const many = Object.fromEntries(
    Array.from({ length: 11 }, (_, index) => [`${index}.test.ts`, { t: false }]),
  );
  expect(filesToRepeat(reportOf(many))).toEqual([]);
});

test('tests that pass only in a further run are named, and each test counts once', () => {
  const second = reportOf({ 'b.test.ts': { two: true, three: true }, 'c.test.ts': { four: true } });
  expect(judge([first, second])).toEqual({ passed: 4, failed: 0, flaky: ['b.test.ts: three', 'c.test.ts'] });
});

test('a test that fails in the last run fails the whole', () => {
  const second = reportOf({ 'b.test.ts': { two: true, three: false }, 'c.test.ts': { four: true } });
  expect(judge([first, second])).toEqual({ passed: 3, failed: 1, flaky: ['c.test.ts'] });
});

test('a file is judged by the last run that it was part of', () => {
  const second = reportOf({ 'b.test.ts': { two: false, three: false }, 'c.test.ts': { four: true } });
  const third = reportOf({ 'b.test.ts': { two: true, three: true } });
  expect(judge([first, second, third])).toEqual({
    passed: 4,
    failed: 0,
    flaky: ['b.test.ts: three', 'c.test.ts', 'b.test.ts: two'],
  });
});

test('without a further run the first one counts', () => {
  expect(judge([first])).toEqual({ passed: 2, failed: 1, flaky: [] });
});
