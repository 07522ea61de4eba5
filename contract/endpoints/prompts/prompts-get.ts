import * as z from 'zod/mini';
import { PATHS, READ_FAILING, READ_USAGE, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { strictFields, version } from '../../fields/fields.ts';
import { ofPrompt } from '../../shapes/common.ts';

export const promptsGet = endpoint({
  id: 'prompts-get',
  route: { method: 'GET', path: PATHS.prompt },
  access: VIEWER,
  params: ofPrompt,
  query: strictFields({
    version: z.optional(
      z.union([z.literal('latest'), version]).check(
        z.meta({
          description:
            'The version to include: a number or `latest`. Without it, the one that the label `production` points to, or else the latest.',
        }),
      ),
    ),
  }),
  errors: ['prompt_not_found'],
  grants: [
    { on: 'table', actions: ['BatchGetItem', 'GetItem', 'Query'], partitions: ['prompt'] },
    ...READ_USAGE,
    READ_FAILING,
  ],
  summary: 'Fetch a prompt with what its page shows',
});
