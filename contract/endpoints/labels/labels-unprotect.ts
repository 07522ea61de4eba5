import { ADMIN, FEW_ROWS, PATHS, PROTECT_LABELS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { ofProtectedLabel } from '../../shapes/common.ts';

export const labelsUnprotect = endpoint({
  id: 'labels-unprotect',
  route: { method: 'DELETE', path: PATHS.protectedLabel },
  access: ADMIN,
  params: ofProtectedLabel,
  errors: ['label_not_found', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: PROTECT_LABELS,
  summary: 'Remove the protection of a label',
});
