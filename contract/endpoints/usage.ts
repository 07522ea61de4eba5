import * as z from 'zod/mini';
import { JUDGE_USE, LIST_KEYS, MANY_ROWS, PATHS, READ_FAILING, READ_USAGE } from '../admin.ts';
import { endpoint } from '../endpoint.ts';
import { strictFields, version } from '../fields/fields.ts';
import { paging, utcDay, wholeNumber } from '../fields/query.ts';
import { viewer } from '../for-operators.ts';
import { keyId } from '../shapes/common.ts';
import { onTable } from '../table.ts';

export const accessesList = endpoint({
  id: 'accesses-list',
  ...viewer('GET', `${PATHS.prompt}/accesses`),
  query: strictFields({
    from: z.optional(utcDay('First day (UTC). Default: 30 days before the last day.')),
    to: z.optional(utcDay('Last day (UTC). Default: today.')),
    key: z.optional(keyId),
    version: z.optional(version),
    ...paging,
  }),
  errors: ['prompt_not_found'],
  ...MANY_ROWS,
  grants: [onTable('GetItem', 'prompt', 'entryShards'), onTable('Query', 'access')],
  summary: 'List the access history of a prompt',
});

export const callersList = endpoint({
  id: 'callers-list',
  ...viewer('GET', PATHS.callers),
  errors: ['prompt_not_found'],
  ...MANY_ROWS,
  grants: [onTable('GetItem', 'prompt'), ...JUDGE_USE],
  summary: 'List the API keys that fetch a prompt, by what they ask for',
});

export const usageGet = endpoint({
  id: 'usage-get',
  ...viewer('GET', `${PATHS.prompt}/usage`),
  query: strictFields({
    days: z._default(wholeNumber(1, 90, 'Number of days (UTC), including today.'), 30),
  }),
  errors: ['prompt_not_found'],
  ...MANY_ROWS,
  grants: [onTable(['GetItem', 'Query'], 'prompt'), ...READ_USAGE, READ_FAILING, ...LIST_KEYS],
  summary: 'Fetch the usage of a prompt, day by day',
});
