import { servingSet } from '../../../contract/endpoints/vault.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { vaultOf } from '../../http/serializers/vault.ts';
import { setServing } from '../../store/vault/serving.ts';

export const handler = changeEndpoint(servingSet, async ({ vault, body: { allowed, reason }, change }) => ({
  vault: vaultOf(await setServing(vault, change, allowed, reason)),
}));
