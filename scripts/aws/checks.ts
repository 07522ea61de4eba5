/** What a check found; the text of a warning or failure says what to do. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'failure';
  readonly text: string;
}

export const ok = (text: string): Finding => ({ level: 'ok', text });
export const warning = (text: string): Finding => ({ level: 'warning', text });
export const failure = (text: string): Finding => ({ level: 'failure', text });

export interface Check {
  readonly title: string;
  readonly run: () => Promise<Finding>;
}

export interface Result extends Finding {
  readonly title: string;
}

const MARKS = { ok: 'ok     ', warning: 'WARNING', failure: 'FAILURE' } as const;

const runOne = async ({ title, run }: Check): Promise<Result> => {
  try {
    return { title, ...(await run()) };
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { title, ...warning(`This could not be checked. ${reason}`) };
  }
};

/** Runs the checks one after the other. One that throws is a warning. */
export const runChecks = async (checks: readonly Check[]): Promise<Result[]> => {
  const results: Result[] = [];
  for (const check of checks) results.push(await runOne(check));
  return results;
};

/** A line for each result, and whether one is a failure. */
export const reportOf = (results: readonly Result[]) => ({
  text: results.map(({ level, title, text }) => `${MARKS[level]}  ${title}: ${text}`).join('\n'),
  failed: results.some(({ level }) => level === 'failure'),
});
