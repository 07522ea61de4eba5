import { rotationStart } from '../../../contract/endpoints/vault/rotation-start.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { connectJob } from '../../store/jobs.ts';
import { connectTable } from '../../store/table.ts';
import { type RotationRequest, requestRotation } from '../../store/vault-keys/request.ts';

const table = connectTable();
const startJob = connectJob<RotationRequest>();

/** Starts the job that replaces the key pair of the vault. */
export const handler = operatorEndpoint(rotationStart, async ({ body: { keyVersion }, change }) => {
  await requestRotation(table, startJob, change, keyVersion);
  return { keyVersion };
});
