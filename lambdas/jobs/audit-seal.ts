import { log, logFailure, logFinding } from '../log.ts';
import { reportFinding } from '../store/integrity/findings.ts';
import type { ReportProblem } from '../store/seal/chain.ts';
import { connectSealedLog } from '../store/seal/sealed-log.ts';
import { sealAudit } from '../store/seal/sealing.ts';
import { connectSigningTable } from '../store/signing/kms.ts';

const table = connectSigningTable();
const sealedLog = connectSealedLog();

const report: ReportProblem = async ({ subject, problem }) => {
  logFinding(subject, problem);
  await reportFinding(table, { id: subject, subject, problem }, new Date());
};

/** Seals new audit entries. Throws, and so raises the alarm of the job, if it fails; the next run continues. */
export const handler = async (): Promise<void> => {
  try {
    const { problems, ...sealed } = await sealAudit(table, sealedLog, { now: new Date(), onProblem: report });
    log('info', 'audit log sealed', { ...sealed, problems: problems.length });
  } catch (error) {
    logFailure('audit log not sealed', error);
    throw error;
  }
};
