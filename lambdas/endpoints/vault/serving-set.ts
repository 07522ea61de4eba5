import { servingSet } from '../../../contract/endpoints/vault/serving-set.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { vaultOf } from '../../http/serializers/vault.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';
import { setServing } from '../../store/vault/serving.ts';

const table = connectSigningTable();

/** Stops serving secrets, or allows them again. */
export const handler = operatorEndpoint(servingSet, async ({ body: { allowed, reason }, change }) => ({
  vault: vaultOf(await setServing(table, change, allowed, reason)),
}));
