import * as z from 'zod/mini';
import { MANY_ROWS, PATHS, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { strictFields, version } from '../../fields/fields.ts';
import { paging, utcDay } from '../../fields/query.ts';
import { keyId, ofPrompt } from '../../shapes/common.ts';

export const accessesList = endpoint({
  id: 'accesses-list',
  route: { method: 'GET', path: `${PATHS.prompt}/accesses` },
  access: VIEWER,
  params: ofPrompt,
  query: strictFields({
    from: z.optional(utcDay('First day (UTC). Default: 30 days before the last day.')),
    to: z.optional(utcDay('Last day (UTC). Default: today.')),
    key: z.optional(keyId),
    version: z.optional(version),
    ...paging,
  }),
  errors: ['prompt_not_found'],
  ...MANY_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem'], partitions: ['prompt', 'entryShards'] },
    { on: 'table', actions: ['Query'], partitions: ['access'] },
  ],
  summary: 'List the access history of a prompt',
});
