import * as z from 'zod/mini';
import {
  LIST_KEYS,
  LIST_PROMPTS,
  MANY_ROWS,
  PATHS,
  READ_USAGE,
  READ_VAULT,
  READ_VAULT_USE,
  VIEWER,
} from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { described, promptId } from '../../fields/fields.ts';
import { KEY, KEY_ID, PROMPT_ID, SECRET_ID } from '../../http/examples.ts';
import { count, ofKey, secretId, time } from '../../shapes/common.ts';
import { keyRow, refusedShape } from '../../shapes/keys.ts';

const AT = KEY.createdAt;

/** How much of something a key may read by its permissions and limits. */
const reach = (what: string) =>
  z.object({
    allowed: count(`Number of ${what} that the permissions and limits of the key allow.`),
    total: count(`Number of all ${what}.`),
  });

export const keysGet = endpoint({
  id: 'keys-get',
  route: { method: 'GET', path: PATHS.key },
  access: VIEWER,
  params: ofKey,
  reply: z.object({
    key: keyRow,
    prompts: reach('prompts'),
    secrets: reach('secrets'),
    fetched: described(
      z.array(
        z.object({
          promptId,
          name: z.string(),
          fetches: count('Fetches with the key in these days (UTC).'),
          lastAt: time('The last of them.'),
        }),
      ),
      'Prompts that it fetched in the last 30 days, or those before it was revoked, most fetched first.',
    ),
    read: described(
      z.array(
        z.object({
          secretId,
          key: z.string(),
          reads: count('Reads in these days (UTC) that returned the secret to the key.'),
          lastAt: time('The last of them.'),
          changedAt: time('When the value of the secret was last changed.'),
        }),
      ),
      'Secrets that it read in the last 30 days, or those before it was revoked, by key. One with a value that is older than `lastAt` is known to whoever has the key.',
    ),
    refused: described(
      z.array(refusedShape),
      'Calls refused in the last seven days, by reason, latest first.',
    ),
  }),
  errors: ['api_key_not_found'],
  ...MANY_ROWS,
  grants: [
    ...LIST_KEYS,
    ...LIST_PROMPTS,
    { on: 'table', actions: ['GetItem'], partitions: ['apiKeyUse'] },
    ...READ_USAGE,
    ...READ_VAULT,
    ...READ_VAULT_USE,
    { on: 'table', actions: ['Query'], partitions: ['auditRefusal'] },
  ],
  summary: 'Fetch an API key with what it may read and what it read',
  description:
    'A key without the key itself: how much it may read, which prompts and secrets it read in the last 30 days, or in those before it was revoked, and why it was refused.',
  examples: [
    {
      summary: 'A key that reads everything',
      params: { keyId: KEY_ID },
      res: {
        key: { ...KEY, lastUsedAt: AT, calls: { prompts: 12, secrets: 3 } },
        prompts: { allowed: 40, total: 40 },
        secrets: { allowed: 80, total: 80 },
        fetched: [{ promptId: PROMPT_ID, name: 'greeting', fetches: 12, lastAt: AT }],
        read: [{ secretId: SECRET_ID, key: 'DATABASE_URL', reads: 3, lastAt: AT, changedAt: AT }],
        refused: [],
      },
    },
  ],
});
