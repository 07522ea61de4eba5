import * as z from 'zod/mini';
import { ADMIN, FEW_ROWS, PATHS, SIGN } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { keyExpiry, keyLabels, keyName, keyPrompts, keyTags } from '../../fields/key-fields.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { KEY, KEY_ID } from '../../http/examples.ts';
import { ofKey } from '../../shapes/common.ts';
import { keyShape } from '../../shapes/keys.ts';

export const keysUpdate = endpoint({
  id: 'keys-update',
  route: { method: 'PATCH', path: PATHS.key },
  access: ADMIN,
  params: ofKey,
  body: strictFields(
    {
      name: z.optional(keyName),
      tags: z.optional(keyTags),
      prompts: z.optional(keyPrompts),
      labels: z.optional(keyLabels),
      expiresAt: z.optional(keyExpiry),
    },
    { error: 'The body must be a JSON object, such as {"tags": ["production"]}.' },
  ),
  reply: z.object({ key: keyShape }),
  errors: ['api_key_not_found', 'too_many_restricted_keys', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem', 'PutItem'], partitions: ['apiKey', 'restrictions'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
    ...SIGN,
  ],
  summary: 'Rename or narrow an API key',
  description:
    'Renames a key, or narrows what it can read and how long: it can only gain tags, lose prompts and labels, and expire earlier. Takes effect with the next request. To allow more, create another key.',
  examples: [
    {
      summary: 'One more tag',
      params: { keyId: KEY_ID },
      body: { tags: ['production'] },
      res: { key: { ...KEY, tags: ['production'] } },
    },
  ],
});
