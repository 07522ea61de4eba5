import * as z from 'zod/mini';
import { MANY_ROWS, PATHS, VIEWER } from '../admin.ts';
import { endpoint } from '../endpoint.ts';
import { AUDIT } from '../examples.ts';
import { nextCursor, oneOf, paging, search, utcDay } from '../fields/query.ts';
import { auditShape } from '../shapes/audit.ts';

export const auditList = endpoint({
  id: 'audit-list',
  route: { method: 'GET', path: PATHS.audit },
  access: VIEWER,
  query: z.object({
    kind: z.optional(oneOf(['change', 'read'], 'Only changes, or only reads of secrets.')),
    action: z.optional(search('Only this action, or all that begin with it: `label.set`, `label`.')),
    actor: z.optional(search('Only what an operator or API key with this in the name or id did.')),
    subject: z.optional(search('Only what concerns the thing with this id, or with this in its name.')),
    from: z.optional(utcDay('The first day (UTC); 30 days before the last one if left out.')),
    to: z.optional(utcDay('The last day (UTC); today if left out.')),
    ...paging,
  }),
  reply: z.object({ entries: z.array(auditShape), cursor: nextCursor }),
  errors: [],
  ...MANY_ROWS,
  grants: [{ on: 'table', actions: ['Query'], partitions: ['auditChange', 'auditRead'] }],
  summary: 'List who changed or read what',
  description:
    'Changes by operators and reads of secrets by API keys, the latest first. A page may hold fewer than `limit` before the last one: go on while there is a cursor.',
  examples: [
    {
      summary: 'Who moved labels',
      query: { action: 'label.set', from: '2026-03-01' },
      res: { entries: [AUDIT] },
    },
  ],
});
