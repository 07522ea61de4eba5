import * as z from 'zod/mini';
import { ADMIN, GUARD_ACCESS, MANY_ROWS, PATHS, READ_VAULT, SIGN } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { described, flag, secretKey } from '../../fields/fields.ts';
import { confirmAccess } from '../../fields/query.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { count } from '../../shapes/common.ts';
import { ofRevision } from '../../shapes/vault.ts';

const keys = (description: string) => described(z.array(secretKey), description);

export const revisionsRestore = endpoint({
  id: 'revisions-restore',
  route: { method: 'POST', path: `${PATHS.revisions}/{revision}/restore` },
  access: ADMIN,
  params: ofRevision,
  query: strictFields({ confirm: confirmAccess }),
  body: strictFields(
    { dryRun: z.optional(flag('When `true`, nothing is restored; the reply shows what would change.')) },
    { error: 'The body must be a JSON object; {} restores.' },
  ),
  reply: z.object({
    revision: described(z.nullable(count('Number of the new revision.')), '`null` in a dry run.'),
    returning: keys('Keys of deleted secrets that are restored. As far as they fit, and only in a dry run.'),
    removed: keys('Keys of newer secrets that are deleted. As far as they fit, and only in a dry run.'),
    changed: keys('Keys of secrets with another value or tags. As far as they fit, and only in a dry run.'),
  }),
  errors: ['value_not_found', 'would_widen_access', 'changed_meanwhile'],
  ...MANY_ROWS,
  grants: [
    ...READ_VAULT,
    { on: 'table', actions: ['PutItem'], partitions: ['vault'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
    ...GUARD_ACCESS,
    ...SIGN,
  ],
  summary: 'Restore an earlier revision of the vault',
  description:
    'Makes all secrets what they were in a revision of the last seven days, as a new revision. The earlier revision is verified first. Secrets created since then count as deleted and can be restored. Releases stay stopped if they are. If API keys with a tag restriction could then read secrets that they cannot read now, it needs `confirm=true`.',
  examples: [
    {
      summary: 'A preview',
      params: { revision: '7' },
      body: { dryRun: true },
      res: { revision: null, returning: ['OLD_TOKEN'], removed: [], changed: ['DATABASE_URL'] },
    },
  ],
});
