import * as z from 'zod/mini';
import { ADMIN, FEW_ROWS, PATHS, PROTECT_LABELS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { PROTECTED_LABEL } from '../../http/examples.ts';
import { ofProtectedLabel } from '../../shapes/common.ts';
import { protectedLabels } from '../../shapes/prompts.ts';

export const labelsUnprotect = endpoint({
  id: 'labels-unprotect',
  route: { method: 'DELETE', path: PATHS.protectedLabel },
  access: ADMIN,
  params: ofProtectedLabel,
  reply: z.object({ labels: protectedLabels }),
  errors: ['label_not_found', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: PROTECT_LABELS,
  summary: 'Remove the protection of a label',
  description: 'Editors can set, move and remove the label again. The label itself stays.',
  examples: [{ summary: 'staging', params: { label: 'staging' }, res: { labels: [PROTECTED_LABEL] } }],
});
