/** The operation id of the job that seals. */
export const JOB = 'audit-seal';
