import { CHANGE_VAULT, EDITOR, FEW_ROWS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { inEnvironment, strictFields } from '../../fields/fields.ts';
import { ofSecret } from '../../shapes/common.ts';

export const secretsDelete = endpoint({
  id: 'secrets-delete',
  route: { method: 'DELETE', path: PATHS.secret },
  access: EDITOR,
  params: ofSecret,
  query: strictFields(inEnvironment),
  errors: ['environment_not_found', 'secret_not_found', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: CHANGE_VAULT,
  summary: 'Delete a secret',
});
