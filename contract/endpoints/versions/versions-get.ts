import * as z from 'zod/mini';
import { FEW_ROWS, PATHS, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { PROMPT_ID, VERSION } from '../../http/examples.ts';
import { ofVersion } from '../../shapes/common.ts';
import { versionShape } from '../../shapes/prompts.ts';

export const versionsGet = endpoint({
  id: 'versions-get',
  route: { method: 'GET', path: PATHS.version },
  access: VIEWER,
  params: ofVersion,
  reply: z.object({ version: versionShape }),
  errors: ['prompt_not_found', 'version_not_found'],
  ...FEW_ROWS,
  grants: [{ on: 'table', actions: ['GetItem'], partitions: ['prompt'] }],
  summary: 'Fetch a version',
  description:
    'Returns one version with its text. A version never changes. Reading it here is not recorded in the access history.',
  examples: [
    {
      summary: 'A version',
      params: { promptId: PROMPT_ID, version: '1.1.0' },
      res: { version: VERSION },
    },
  ],
});
