import path from 'node:path';

/** The part of the report of `jest --json` that is read here. */
export interface JestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** How many more runs failed tests get: two in CI, where nobody repeats the command, otherwise none. */
export const RERUNS = (process.env.CI ?? '') === '' ? 0 : 2;

/** More failed files than this have a common cause, and a further run would only take time. */
const MOST_FILES = 10;

type Result = JestReport['testResults'][number];

const failed = ({ testResults }: JestReport) => testResults.filter(({ status }) => status === 'failed');

const count = (results: readonly Result[], wanted: string): number =>
  results.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === wanted)
    .length;

/** @returns The paths of the files to run again: those with a failed test, none if there are too many. */
export const filesToRepeat = (report: JestReport): readonly string[] => {
  const files = failed(report).map(({ name }) => name);
  return files.length > MOST_FILES ? [] : files;
};

const titlesOf = ({ name, assertionResults }: Result): readonly string[] => {
  const titles = assertionResults.filter(({ status }) => status === 'failed');
  const file = path.relative(process.cwd(), name);
  return titles.length === 0 ? [file] : titles.map(({ fullName }) => `${file}: ${fullName}`);
};

/**
 * Judges each file by the last run that it was part of.
 * @param reports The report of the first run, then those of further runs of the failed files.
 * @returns The numbers of tests that passed and failed in the end, and the tests that passed only in a further run.
 */
export const judge = (reports: readonly JestReport[]) => {
  const last = new Map(reports.flatMap(({ testResults }) => testResults.map((each) => [each.name, each])));
  const results = [...last.values()];
  const flaky = reports.flatMap(failed).filter(({ name }) => last.get(name)?.status === 'passed');
  return {
    passed: count(results, 'passed'),
    failed: count(results, 'failed'),
    flaky: [...new Set(flaky.flatMap(titlesOf))],
  };
};
