import * as z from 'zod/mini';
import { EDITOR, FEW_ROWS, LIST_KEYS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { tags } from '../../fields/fields.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { LAST_READ } from '../../http/examples.ts';

export const secretsPreviewReaders = endpoint({
  id: 'secrets-preview-readers',
  route: { method: 'POST', path: `${PATHS.secrets}/readers` },
  access: EDITOR,
  body: strictFields(
    { tags: tags('Tags of a secret.') },
    { error: 'The body must be a JSON object, such as {"tags": ["llm"]}.' },
  ),
  reply: z.object({
    readers: z.array(z.object({ apiKeyId: z.string(), apiKeyName: z.string() })),
  }),
  errors: [],
  ...FEW_ROWS,
  grants: LIST_KEYS,
  summary: 'List the API keys that could read a secret with these tags',
  description:
    'Active keys only, by name. Shows who could read a secret before it is saved. A new key can take a moment to appear.',
  examples: [
    {
      summary: 'A tag',
      body: { tags: ['llm'] },
      res: { readers: [{ apiKeyId: LAST_READ.apiKeyId, apiKeyName: LAST_READ.apiKeyName }] },
    },
  ],
});
