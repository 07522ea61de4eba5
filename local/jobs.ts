import { JOBS, type Job } from '../contract/functions/jobs.ts';
import type { Table } from '../lambdas/store/table.ts';
import { findVaultHead } from '../lambdas/store/vault/head.ts';
import { vaultIn } from '../lambdas/store/vault/vault.ts';
import type { Outcome } from './functions/functions.ts';
import { StartError } from './start-error.ts';

const SECOND = 1_000;

type Invoke = (operationId: string, event: unknown) => Promise<Outcome>;

/** Runs a job, and logs its failure. */
type RunJob = (job: Pick<Job, 'id'>, event?: unknown) => Promise<void>;

/** What a deployment, the schedules and operators do on AWS. There, too, a failing job does not block anything else. */
export const runJobWith =
  (invoke: Invoke, onLog: (line: string) => void): RunJob =>
  async ({ id }, event = {}) => {
    const outcome = await invoke(id, event);
    if ('failure' in outcome) onLog(`The job ${id} failed: ${outcome.failure}\n`);
  };

/** Runs each job that has a schedule, until its timer is cleared. */
export const scheduleJobs = (run: RunJob): NodeJS.Timeout[] =>
  JOBS.flatMap((job) =>
    job.everyMinutes === undefined
      ? []
      : [
          setInterval(
            () => void run(job),
            (job.everySecondsLocally ?? job.everyMinutes * 60) * SECOND,
          ).unref(),
        ],
  );

/** Only the first start creates a vault, like the first deployment, and never because its rows are missing. */
export const createResources = async (run: RunJob): Promise<void> => {
  for (const job of JOBS.filter(({ creates }) => creates !== undefined))
    await run(job, { RequestType: 'Create' });
};

/** What a deployment runs. Errors: `StartError` if there is no vault afterwards. */
export const runAfterDeployment = async (run: RunJob, table: Table): Promise<void> => {
  for (const job of JOBS.filter(({ afterDeployment }) => afterDeployment)) await run(job);
  if ((await findVaultHead(vaultIn(table))) === undefined)
    throw new StartError('The vault could not be created, or is missing. See the log above.');
};
