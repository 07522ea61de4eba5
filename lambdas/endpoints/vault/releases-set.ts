import { releasesSet } from '../../../contract/endpoints/vault/releases-set.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { vaultOf } from '../../http/serializers.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';
import { setReleases } from '../../store/vault/releases.ts';

const table = connectSigningTable();

/** Stops all releases of secrets, or allows them again. */
export const handler = operatorEndpoint(releasesSet, async ({ body: { allowed }, change }) => ({
  vault: vaultOf(await setReleases(table, change, allowed)),
}));
