import * as z from 'zod/mini';
import { ADMIN, GUARD_ACCESS, LIST_KEYS, MANY_ROWS, PATHS, READ_VAULT, SIGN } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { flag, inEnvironment, revision, strictFields } from '../../fields/fields.ts';
import { confirmAccess, wholeNumber } from '../../fields/query.ts';

export const revisionsRestore = endpoint({
  id: 'revisions-restore',
  route: { method: 'POST', path: `${PATHS.revisions}/{revision}/restore` },
  access: ADMIN,
  params: z.object({
    revision: wholeNumber(1, Number.MAX_SAFE_INTEGER, 'Number of a revision of the vault.'),
  }),
  query: strictFields({ confirm: confirmAccess }),
  body: strictFields(
    {
      ...inEnvironment,
      current: z.optional(
        revision('The number of the revision that is replaced. The request fails if another one is current.'),
      ),
      dryRun: z.optional(flag('When `true`, nothing is restored; the reply shows what would change.')),
    },
    { error: 'The body must be a JSON object; {} restores.' },
  ),
  errors: ['environment_not_found', 'value_not_found', 'would_widen_access', 'changed_meanwhile'],
  ...MANY_ROWS,
  grants: [
    ...READ_VAULT,
    { on: 'table', actions: ['PutItem'], partitions: ['vault'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
    ...GUARD_ACCESS,
    ...LIST_KEYS,
    ...SIGN,
  ],
  summary: 'Restore an earlier revision of the vault',
});
