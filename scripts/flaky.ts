import path from 'node:path';

/** The part of the report of `jest --json` that is read here. */
export interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Whether failed tests get a second run: in CI, where nobody repeats the command. */
export const RERUNS = (process.env.CI ?? '') !== '';

/** More failed files than this have a common cause, and a second run would only take time. */
const MOST_FILES = 10;

const failed = (report: JestReport) => report.testResults.filter(({ status }) => status === 'failed');

const passedIn = (results: JestReport['testResults']): number =>
  results.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === 'passed')
    .length;

/** @returns The paths of the files to run again: those with a failed test, none if there are too many. */
export const filesToRepeat = (report: JestReport): readonly string[] => {
  const files = failed(report).map(({ name }) => name);
  return files.length > MOST_FILES ? [] : files;
};

/**
 * Judges a run by the second run of its failed files.
 * @param report The first run.
 * @param second The second run; undefined if it left no report.
 * @returns The numbers of tests that passed and failed in the end, and the tests that passed only in the second run.
 */
export const judge = (report: JestReport, second: JestReport | undefined) => {
  if (second === undefined)
    return { passed: report.numPassedTests, failed: report.numFailedTests, flaky: [] };
  const stillFailing = new Set(failed(second).map(({ name }) => name));
  const flaky = failed(report)
    .filter(({ name }) => !stillFailing.has(name))
    .flatMap(({ name, assertionResults }) => {
      const titles = assertionResults.filter(({ status }) => status === 'failed');
      const file = path.relative(process.cwd(), name);
      return titles.length === 0 ? [file] : titles.map(({ fullName }) => `${file}: ${fullName}`);
    });
  return {
    passed: report.numPassedTests - passedIn(failed(report)) + second.numPassedTests,
    failed: second.numFailedTests,
    flaky,
  };
};
