import { CHANGE_VAULT, EDITOR, FEW_ROWS, GUARD_ACCESS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { inEnvironment, strictFields } from '../../fields/fields.ts';
import { confirmAccess } from '../../fields/query.ts';
import { ofSecret } from '../../shapes/common.ts';

export const secretsRestore = endpoint({
  id: 'secrets-restore',
  route: { method: 'POST', path: `${PATHS.secret}/restore` },
  access: EDITOR,
  params: ofSecret,
  query: strictFields({ ...inEnvironment, confirm: confirmAccess }),
  errors: [
    'environment_not_found',
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
});
