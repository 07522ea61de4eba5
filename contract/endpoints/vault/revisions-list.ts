import { MANY_ROWS, PATHS, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { inEnvironment, strictFields } from '../../fields/fields.ts';
import { paging } from '../../fields/query.ts';

export const revisionsList = endpoint({
  id: 'revisions-list',
  route: { method: 'GET', path: PATHS.revisions },
  access: VIEWER,
  query: strictFields({ ...inEnvironment, ...paging }),
  errors: ['environment_not_found'],
  ...MANY_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem'], partitions: ['vault'] },
    { on: 'table', actions: ['Query'], partitions: ['vault', 'auditChange'] },
  ],
  summary: 'List the revisions of the vault',
});
