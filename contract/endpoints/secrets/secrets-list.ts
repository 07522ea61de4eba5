import * as z from 'zod/mini';
import { LIST_KEYS, MANY_ROWS, PATHS, READ_VAULT, READ_VAULT_USE, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { LAST_READ, SECRET } from '../../examples.ts';
import { tag } from '../../fields/fields.ts';
import { choice, nextCursor, oneOf, order, paging, search } from '../../fields/query.ts';
import { count } from '../../shapes/common.ts';
import { secretRow } from '../../shapes/secrets.ts';

export const secretsList = endpoint({
  id: 'secrets-list',
  route: { method: 'GET', path: PATHS.secrets },
  access: VIEWER,
  query: z.object({
    q: z.optional(search('Only secrets with this in the key or a tag.')),
    tag: z.optional(tag),
    read: z.optional(choice('Only secrets that were released within the last 30 days, or only others.')),
    sort: z._default(oneOf(['key', 'changed', 'read'], 'What the list is sorted by.'), 'key'),
    order,
    ...paging,
  }),
  reply: z.object({
    secrets: z.array(secretRow),
    total: count('How many secrets match, on all pages together.'),
    tags: z.array(z.string()).check(z.meta({ description: 'Every tag of any secret.' })),
    cursor: nextCursor,
  }),
  errors: [],
  ...MANY_ROWS,
  grants: [...READ_VAULT, ...READ_VAULT_USE, ...LIST_KEYS],
  summary: 'List secrets',
  description: 'One page of the secrets, without values, with the last release of each.',
  examples: [
    {
      summary: 'Secrets of the database',
      query: { tag: 'database' },
      res: { secrets: [{ ...SECRET, lastRead: LAST_READ }], total: 1, tags: ['database'] },
    },
  ],
});
