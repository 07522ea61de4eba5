import * as z from 'zod/mini';
import { LIST_KEYS, MANY_ROWS, PATHS, READ_VAULT, READ_VAULT_USE, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { described, tag } from '../../fields/fields.ts';
import { choice, nextCursor, oneOf, order, paging, search, utcDay } from '../../fields/query.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { LAST_READ, SECRET } from '../../http/examples.ts';
import { count } from '../../shapes/common.ts';
import { secretRow } from '../../shapes/secrets.ts';

export const secretsList = endpoint({
  id: 'secrets-list',
  route: { method: 'GET', path: PATHS.secrets },
  access: VIEWER,
  query: strictFields({
    q: z.optional(search('Only secrets whose key or tags contain this text.')),
    tag: z.optional(tag),
    read: z.optional(choice('Only secrets that were read within the last 30 days, or only the others.')),
    rotateBy: z.optional(utcDay('Only secrets that need a new value by this day (UTC) or an earlier one.')),
    unfinished: z.optional(
      choice(
        'Only secrets with a new value and no record that the credential in the earlier one is disabled, or only the others.',
      ),
    ),
    sort: z._default(oneOf(['key', 'changed', 'read'], 'What the list is sorted by.'), 'key'),
    order,
    ...paging,
  }),
  reply: z.object({
    secrets: z.array(secretRow),
    total: count('Number of matching secrets across all pages.'),
    tags: described(z.array(z.string()), 'All tags in use, as far as they fit into the reply.'),
    cursor: nextCursor,
  }),
  errors: [],
  ...MANY_ROWS,
  grants: [...READ_VAULT, ...READ_VAULT_USE, ...LIST_KEYS],
  summary: 'List secrets',
  description: 'One page of secrets, without values, with the last read of each.',
  examples: [
    {
      summary: 'Database secrets',
      query: { tag: 'database' },
      res: { secrets: [{ ...SECRET, lastRead: LAST_READ }], total: 1, tags: ['database'] },
    },
  ],
});
