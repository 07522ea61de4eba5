import { versionsGet } from '../../../contract/endpoints/versions.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { versionOf } from '../../http/serializers/prompts.ts';
import { getVersion } from '../../store/prompts/lookups.ts';

export const handler = readEndpoint(versionsGet, async ({ table, params: { promptId, version } }) => ({
  version: versionOf(await getVersion(table, promptId, version)),
}));
