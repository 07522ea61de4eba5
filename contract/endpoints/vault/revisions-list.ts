import * as z from 'zod/mini';
import { MANY_ROWS, PATHS, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { nextCursor, paging } from '../../fields/query.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { SECRET_ID, VAULT } from '../../http/examples.ts';
import { count } from '../../shapes/common.ts';
import { revisionRow } from '../../shapes/vault.ts';

export const revisionsList = endpoint({
  id: 'revisions-list',
  route: { method: 'GET', path: PATHS.revisions },
  access: VIEWER,
  query: strictFields(paging),
  reply: z.object({
    revisions: z.array(revisionRow),
    total: count('Number of revisions across all pages.'),
    cursor: nextCursor,
  }),
  errors: [],
  ...MANY_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem'], partitions: ['vault'] },
    { on: 'table', actions: ['Query'], partitions: ['vault', 'auditChange'] },
  ],
  summary: 'List the revisions of the vault',
  description:
    'The current revision and those that were replaced within the last seven days, newest first, each with the change that made it.',
  examples: [
    {
      summary: 'One change',
      res: {
        revisions: [
          {
            ...{ revision: VAULT.revision, changedAt: VAULT.changedAt, changedBy: VAULT.changedBy },
            change: {
              action: 'secret.update',
              subject: SECRET_ID,
              name: 'DATABASE_URL',
              details: { number: 2 },
            },
            secrets: VAULT.secrets,
          },
        ],
        total: 1,
      },
    },
  ],
});
