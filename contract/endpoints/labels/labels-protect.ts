import { ADMIN, FEW_ROWS, PATHS, PROTECT_LABELS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { ofNewProtectedLabel } from '../../shapes/common.ts';

export const labelsProtect = endpoint({
  id: 'labels-protect',
  route: { method: 'PUT', path: PATHS.protectedLabel },
  access: ADMIN,
  params: ofNewProtectedLabel,
  errors: ['changed_meanwhile'],
  ...FEW_ROWS,
  grants: PROTECT_LABELS,
  summary: 'Protect a label',
});
