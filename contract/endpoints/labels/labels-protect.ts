import * as z from 'zod/mini';
import { ADMIN, FEW_ROWS, PATHS, PROTECT_LABELS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { PROTECTED_LABEL } from '../../http/examples.ts';
import { ofProtectedLabel } from '../../shapes/common.ts';
import { protectedLabels } from '../../shapes/prompts.ts';

export const labelsProtect = endpoint({
  id: 'labels-protect',
  route: { method: 'PUT', path: PATHS.protectedLabel },
  access: ADMIN,
  params: ofProtectedLabel,
  reply: z.object({ labels: protectedLabels }),
  errors: ['changed_meanwhile'],
  ...FEW_ROWS,
  grants: PROTECT_LABELS,
  summary: 'Protect a label',
  description:
    'Protects the label in every prompt, whether or not a prompt has it. Protecting it again changes nothing.',
  examples: [{ summary: 'production', params: { label: 'production' }, res: { labels: [PROTECTED_LABEL] } }],
});
