import * as z from 'zod/mini';
import { LIST_KEY_USES, LIST_PROMPTS, PATHS, READ_VAULT, READ_VAULT_USE, VIEWER } from '../admin.ts';
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
    { on: 'table', actions: ['BatchGetItem'], partitions: ['prompt'] },
    ...READ_VAULT,
    ...READ_VAULT_USE,
    ...LIST_KEY_USES,
    { on: 'table', actions: ['Query'], partitions: ['auditChange', 'auditRefusal'] },
  ],
  summary: 'Fetch the overview',
});
