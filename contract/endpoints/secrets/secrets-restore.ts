import * as z from 'zod/mini';
import { CHANGE_VAULT, EDITOR, FEW_ROWS, GUARD_ACCESS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { confirmAccess } from '../../fields/query.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { SECRET, SECRET_ID } from '../../http/examples.ts';
import { ofSecret } from '../../shapes/common.ts';
import { secretShape } from '../../shapes/secrets.ts';

export const secretsRestore = endpoint({
  id: 'secrets-restore',
  route: { method: 'POST', path: `${PATHS.secret}/restore` },
  access: EDITOR,
  params: ofSecret,
  query: strictFields({ confirm: confirmAccess }),
  reply: z.object({ secret: secretShape }),
  errors: [
    'secret_not_found',
    'not_deleted',
    'secret_key_taken',
    'would_widen_access',
    'vault_full',
    'changed_meanwhile',
  ],
  ...FEW_ROWS,
  grants: [...CHANGE_VAULT, ...GUARD_ACCESS, { on: 'table', actions: ['GetItem'], partitions: ['vaultKey'] }],
  summary: 'Restore a deleted secret',
  description:
    'Restores the secret within seven days of its deletion. Fails while another secret has the same key. If API keys with a tag restriction were created since then that could read it, only an administrator can restore it, with `confirm=true`.',
  examples: [{ summary: 'A secret', params: { secretId: SECRET_ID }, res: { secret: SECRET } }],
});
