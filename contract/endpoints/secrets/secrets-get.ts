import * as z from 'zod/mini';
import { LIST_KEYS, MANY_ROWS, PATHS, READ_VAULT, READ_VAULT_USE, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { described } from '../../fields/fields.ts';
import { LAST_READ, SECRET, SECRET_ID } from '../../http/examples.ts';
import { ofSecret } from '../../shapes/common.ts';
import { earlierValueShape, lastReadShape, secretReader, secretShape } from '../../shapes/secrets.ts';

export const secretsGet = endpoint({
  id: 'secrets-get',
  route: { method: 'GET', path: PATHS.secret },
  access: VIEWER,
  params: ofSecret,
  reply: z.object({
    secret: secretShape,
    lastRead: lastReadShape,
    values: z.array(earlierValueShape),
    readers: described(
      z.array(secretReader),
      'The API keys that can read it, or did so within the last 30 days. Most recent reader first.',
    ),
  }),
  errors: ['secret_not_found'],
  ...MANY_ROWS,
  grants: [
    ...READ_VAULT,
    { on: 'table', actions: ['Query'], partitions: ['secret'] },
    ...READ_VAULT_USE,
    ...LIST_KEYS,
  ],
  summary: 'Fetch the details of a secret',
  description:
    'Everything except its value, and the numbers and times of the earlier values that it can be rolled back to, most recent first.',
  examples: [
    {
      summary: 'A secret',
      params: { secretId: SECRET_ID },
      res: {
        secret: SECRET,
        lastRead: LAST_READ,
        values: [
          {
            number: 1,
            changedAt: SECRET.createdAt,
            changedBy: SECRET.createdBy,
            replacedAt: SECRET.changedAt,
          },
        ],
        readers: [
          {
            ...{ apiKeyId: LAST_READ.apiKeyId, apiKeyName: LAST_READ.apiKeyName, allowed: true },
            ...{ reads: 12, lastAt: LAST_READ.at, number: SECRET.number },
          },
        ],
      },
    },
  ],
});
