import { environmentsList } from '../../../contract/endpoints/vault.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { environmentsOf } from '../../http/serializers/environments.ts';
import { readEnvironments } from '../../store/vault/environments.ts';

export const handler = readEndpoint(environmentsList, async ({ table }) =>
  environmentsOf(table, await readEnvironments(table)),
);
