import * as z from 'zod/mini';
import { LIST_KEYS, MANY_ROWS, PATHS, READ_FAILING, READ_USAGE, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { strictFields } from '../../fields/fields.ts';
import { wholeNumber } from '../../fields/query.ts';
import { ofPrompt } from '../../shapes/common.ts';

export const usageGet = endpoint({
  id: 'usage-get',
  route: { method: 'GET', path: `${PATHS.prompt}/usage` },
  access: VIEWER,
  params: ofPrompt,
  query: strictFields({
    days: z._default(wholeNumber(1, 90, 'Number of days (UTC), including today.'), 30),
  }),
  errors: ['prompt_not_found'],
  ...MANY_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem', 'Query'], partitions: ['prompt'] },
    ...READ_USAGE,
    READ_FAILING,
    ...LIST_KEYS,
  ],
  summary: 'Fetch the usage of a prompt, day by day',
});
