import { vaultGet } from '../../../contract/endpoints/vault.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { vaultOf } from '../../http/serializers/vault.ts';
import { readVaultHead } from '../../store/vault/head.ts';
import { vaultIn } from '../../store/vault/vault.ts';

export const handler = readEndpoint(vaultGet, async ({ table, query }) => ({
  vault: vaultOf(await readVaultHead(vaultIn(table, query.environment))),
}));
