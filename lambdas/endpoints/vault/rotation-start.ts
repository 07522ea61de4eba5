import { rotationStart } from '../../../contract/endpoints/vault.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { connectJob } from '../../store/jobs.ts';
import { type RotationRequest, requestRotation } from '../../store/vault-keys/rotation.ts';

const startJob = connectJob<RotationRequest>();

export const handler = readEndpoint(rotationStart, async ({ vault, body: { keyVersion }, change }) => {
  await requestRotation(vault, startJob, change, keyVersion);
  return { keyVersion };
});
