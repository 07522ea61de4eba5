import { servingSet } from '../../../contract/endpoints/vault.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { vaultOf } from '../../http/serializers/vault.ts';
import { setServing } from '../../store/vault/serving.ts';
import { vaultIn } from '../../store/vault/vault.ts';

export const handler = changeEndpoint(
  servingSet,
  async ({ table, body: { environment, allowed, reason }, change }) => ({
    vault: vaultOf(await setServing(vaultIn(table, environment), change, allowed, reason)),
  }),
);
