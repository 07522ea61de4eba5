import { FEW_ROWS, PATHS, READ_USAGE, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { strictFields } from '../../fields/fields.ts';
import { paging } from '../../fields/query.ts';
import { ofPrompt } from '../../shapes/common.ts';

export const versionsList = endpoint({
  id: 'versions-list',
  route: { method: 'GET', path: PATHS.versions },
  access: VIEWER,
  params: ofPrompt,
  query: strictFields(paging),
  errors: ['prompt_not_found'],
  ...FEW_ROWS,
  grants: [{ on: 'table', actions: ['GetItem', 'Query'], partitions: ['prompt'] }, ...READ_USAGE],
  summary: 'List the versions of a prompt',
});
