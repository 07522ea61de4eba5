import * as z from 'zod/mini';
import { PATHS, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { strictFields } from '../../fields/fields.ts';
import { ofPrompt, pathLabel } from '../../shapes/common.ts';

export const eventsList = endpoint({
  id: 'events-list',
  route: { method: 'GET', path: PATHS.events },
  access: VIEWER,
  params: ofPrompt,
  query: strictFields({ label: z.optional(pathLabel) }),
  errors: ['prompt_not_found'],
  grants: [{ on: 'table', actions: ['GetItem', 'Query'], partitions: ['prompt'] }],
  summary: 'List the changes of a prompt',
});
