import * as z from 'zod/mini';
import { LIST_KEYS, MANY_ROWS, PATHS, READ_VAULT, READ_VAULT_USE, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { environmentName, strictFields, tag } from '../../fields/fields.ts';
import { choice, oneOf, order, paging, search, utcDay } from '../../fields/query.ts';

export const secretsList = endpoint({
  id: 'secrets-list',
  route: { method: 'GET', path: PATHS.secrets },
  access: VIEWER,
  query: strictFields({
    environment: z.optional(
      z
        .union([z.literal('*'), environmentName], { error: 'must be the name of an environment, or "*"' })
        .check(
          z.meta({ description: 'The environment whose secrets are meant; `*` means all. @default default' }),
        ),
    ),
    q: z.optional(search('Only secrets whose key or tags contain this text.')),
    tag: z.optional(tag),
    read: z.optional(choice('Only secrets that were read within the last 30 days, or only the others.')),
    rotateBy: z.optional(utcDay('Only secrets that need a new value by this day (UTC) or an earlier one.')),
    unfinished: z.optional(
      choice(
        'Only secrets with a new value and no record that the credential in the earlier one is disabled, or only the others.',
      ),
    ),
    sort: z._default(oneOf(['key', 'changed', 'read', 'gaps'], 'What the list is sorted by.'), 'key'),
    order,
    ...paging,
  }),
  errors: ['environment_not_found'],
  ...MANY_ROWS,
  grants: [...READ_VAULT, ...READ_VAULT_USE, ...LIST_KEYS],
  summary: 'List secrets',
});
