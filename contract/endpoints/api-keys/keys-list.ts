import * as z from 'zod/mini';
import { LIST_KEYS, MANY_ROWS, PATHS, READ_USAGE, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { nextCursor, oneOf, orderFrom, paging, search } from '../../fields/query.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { KEY } from '../../http/examples.ts';
import { count } from '../../shapes/common.ts';
import { keyRow } from '../../shapes/keys.ts';

export const keysList = endpoint({
  id: 'keys-list',
  route: { method: 'GET', path: PATHS.keys },
  access: VIEWER,
  query: strictFields({
    q: z.optional(search('Only keys whose name, id or tags contain this text.')),
    status: z.optional(oneOf(['active', 'expired', 'revoked'], 'Only keys of this status.')),
    sort: z._default(oneOf(['created', 'name', 'used', 'expires'], 'What the list is sorted by.'), 'created'),
    order: orderFrom('desc'),
    ...paging,
  }),
  reply: z.object({
    keys: z.array(keyRow),
    total: count('Number of matching keys across all pages.'),
    cursor: nextCursor,
  }),
  errors: [],
  ...MANY_ROWS,
  grants: [
    ...LIST_KEYS,
    { on: 'table', actions: ['GetItem'], partitions: ['apiKeyUse'] },
    ...READ_USAGE,
    { on: 'table', actions: ['Query'], partitions: ['vaultUse', 'auditRefusal'] },
  ],
  summary: 'List API keys',
  description:
    'Newest first by default, including expired and revoked keys, with the last use and the number of calls of each. A new key can take a moment to appear.',
  examples: [
    {
      summary: 'Keys in use',
      query: { status: 'active' },
      res: {
        keys: [{ ...KEY, lastUsedAt: '2026-03-01T12:00:00.000Z', calls: { prompts: 12, secrets: 3 } }],
        total: 1,
      },
    },
  ],
});
