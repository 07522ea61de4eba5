import { keysReach } from '../../../contract/endpoints/api-keys.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { reachOf } from '../../store/views/api-key-details.ts';

export const handler = readEndpoint(keysReach, ({ table, body }) => reachOf(table, body));
