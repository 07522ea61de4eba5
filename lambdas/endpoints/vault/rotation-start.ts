import { rotationStart } from '../../../contract/endpoints/vault.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { connectJob } from '../../store/jobs.ts';
import { vaultIn } from '../../store/vault/vault.ts';
import { type RotationRequest, requestRotation } from '../../store/vault-keys/rotation.ts';

const startJob = connectJob<RotationRequest>();

export const handler = readEndpoint(
  rotationStart,
  async ({ table, body: { environment, keyVersion }, change }) => {
    await requestRotation(vaultIn(table, environment), startJob, change, keyVersion);
    return { keyVersion };
  },
);
