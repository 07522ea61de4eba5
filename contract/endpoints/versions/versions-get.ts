import { FEW_ROWS, PATHS, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { ofVersion } from '../../shapes/common.ts';

export const versionsGet = endpoint({
  id: 'versions-get',
  route: { method: 'GET', path: PATHS.version },
  access: VIEWER,
  params: ofVersion,
  errors: ['prompt_not_found', 'version_not_found'],
  ...FEW_ROWS,
  grants: [{ on: 'table', actions: ['GetItem'], partitions: ['prompt'] }],
  summary: 'Fetch a version',
});
