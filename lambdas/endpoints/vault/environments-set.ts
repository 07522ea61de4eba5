import { environmentsSet } from '../../../contract/endpoints/vault.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { environmentsOf } from '../../http/serializers/environments.ts';
import { connectJob } from '../../store/jobs.ts';
import { setEnvironments } from '../../store/vault/set-environments.ts';

const startJob = connectJob<object>();

export const handler = changeEndpoint(environmentsSet, async ({ table, body, change }) => {
  const set = await setEnvironments(table, change, body);
  // Also if nothing changed: an earlier call may not have reached the job. Before vaults are read, which can fail.
  if (set.environments.some(({ state }) => state === 'new')) await startJob({});
  return environmentsOf(table, set);
});
