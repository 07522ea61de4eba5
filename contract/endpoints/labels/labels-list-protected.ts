import * as z from 'zod/mini';
import { FEW_ROWS, PATHS, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { PROTECTED_LABEL } from '../../http/examples.ts';
import { protectedLabels } from '../../shapes/prompts.ts';

export const labelsListProtected = endpoint({
  id: 'labels-list-protected',
  route: { method: 'GET', path: PATHS.protectedLabels },
  access: VIEWER,
  reply: z.object({ labels: protectedLabels }),
  errors: [],
  ...FEW_ROWS,
  grants: [{ on: 'table', actions: ['GetItem'], partitions: ['labelProtection'] }],
  summary: 'List protected labels',
  description:
    'In every prompt, only administrators set, move and remove a protected label, and delete or restore a prompt that has one. Callers that ask for no label are not affected: they get the latest version, which editors publish.',
  examples: [{ summary: 'production', res: { labels: [PROTECTED_LABEL] } }],
});
