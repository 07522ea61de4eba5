import * as z from 'zod/mini';
import { LIST_KEYS, LIST_PROMPTS, PATHS, READ_USAGE, READ_VAULT, READ_VAULT_USE, VIEWER } from '../admin.ts';
import { endpoint } from '../endpoint.ts';
import { strictFields } from '../fields/fields.ts';
import { wholeNumber } from '../fields/query.ts';

export const overviewGet = endpoint({
  id: 'overview-get',
  route: { method: 'GET', path: PATHS.overview },
  access: VIEWER,
  query: strictFields({
    days: z._default(wholeNumber(1, 30, 'Number of days (UTC), including today.'), 30),
  }),
  errors: [],
  memoryMb: 1769,
  timeoutSeconds: 20,
  grants: [
    ...LIST_PROMPTS,
    ...READ_USAGE,
    { on: 'table', actions: ['GetItem'], partitions: ['prompt', 'apiKeyUse'] },
    ...READ_VAULT,
    ...READ_VAULT_USE,
    ...LIST_KEYS,
    { on: 'table', actions: ['Query'], partitions: ['auditChange', 'auditRefusal'] },
  ],
  summary: 'Fetch the overview',
});
