import { job, log } from '../log.ts';
import { connectSealedLog } from '../store/seal/sealed-log.ts';
import { sealAudit } from '../store/seal/sealing.ts';
import { connectSigningTable } from '../store/signing/kms.ts';

const table = connectSigningTable();
const sealedLog = connectSealedLog();

/** Seals new audit entries. */
export const handler = job('audit log not sealed', async () => {
  const { problems, ...sealed } = await sealAudit(table, sealedLog, { now: new Date() });
  for (const problem of problems) log('error', 'object of the sealed log refused', { ...problem });
  log('info', 'audit log sealed', { ...sealed, problems: problems.length });
});
