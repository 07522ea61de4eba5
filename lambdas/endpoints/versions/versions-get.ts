import { versionsGet } from '../../../contract/endpoints/versions/versions-get.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { versionOf } from '../../http/serializers/prompts.ts';
import { getVersion } from '../../store/prompts/versions.ts';
import { connectTable } from '../../store/table.ts';

const table = connectTable();

/** Returns a version with its content. */
export const handler = operatorEndpoint(versionsGet, async ({ params: { promptId, version } }) => ({
  version: versionOf(await getVersion(table, promptId, version)),
}));
