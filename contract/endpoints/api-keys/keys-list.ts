import * as z from 'zod/mini';
import { LIST_KEY_USES, MANY_ROWS, PATHS, READ_DAYS, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { strictFields } from '../../fields/fields.ts';
import { oneOf, orderFrom, paging, search } from '../../fields/query.ts';

export const keysList = endpoint({
  id: 'keys-list',
  route: { method: 'GET', path: PATHS.keys },
  access: VIEWER,
  query: strictFields({
    q: z.optional(search('Only keys with this id, or whose name or tags contain this text.')),
    status: z.optional(oneOf(['active', 'expired', 'revoked'], 'Only keys of this status.')),
    sort: z._default(oneOf(['created', 'name', 'used', 'expires'], 'What the list is sorted by.'), 'created'),
    order: orderFrom('desc'),
    ...paging,
  }),
  errors: [],
  ...MANY_ROWS,
  grants: [...LIST_KEY_USES, ...READ_DAYS, { on: 'table', actions: ['Query'], partitions: ['auditRefusal'] }],
  summary: 'List API keys',
});
