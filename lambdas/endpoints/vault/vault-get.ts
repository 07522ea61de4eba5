import { vaultGet } from '../../../contract/endpoints/vault/vault-get.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { vaultOf } from '../../http/serializers/vault.ts';
import { connectTable } from '../../store/table.ts';
import { readHead } from '../../store/vault/head.ts';

const table = connectTable();

/** Returns the state of the vault. */
export const handler = operatorEndpoint(vaultGet, async () => ({ vault: vaultOf(await readHead(table)) }));
