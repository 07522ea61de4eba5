import { CHANGE_VAULT, EDITOR, FEW_ROWS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { ofSecret } from '../../shapes/common.ts';

export const secretsDelete = endpoint({
  id: 'secrets-delete',
  route: { method: 'DELETE', path: PATHS.secret },
  access: EDITOR,
  params: ofSecret,
  errors: ['secret_not_found', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: CHANGE_VAULT,
  summary: 'Delete a secret',
});
