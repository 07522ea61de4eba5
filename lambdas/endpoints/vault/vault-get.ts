import { vaultGet } from '../../../contract/endpoints/vault.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { vaultOf } from '../../http/serializers/vault.ts';
import { readVaultHead } from '../../store/vault/head.ts';

export const handler = readEndpoint(vaultGet, async ({ vault }) => ({
  vault: vaultOf(await readVaultHead(vault)),
}));
