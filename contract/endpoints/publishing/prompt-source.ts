import * as z from 'zod/mini';
import { MANY_ROWS, NOTE_KEY } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { promptName, strictFields } from '../../fields/fields.ts';
import { LIMITS } from '../../limits.ts';

export const promptSource = endpoint({
  id: 'prompt-source',
  route: { method: 'POST', path: '/api/prompt/source' },
  access: { kind: 'api-key', permission: ['publish', 'compare'], publishing: true },
  body: strictFields({
    names: z.array(promptName, { error: 'must be an array of strings' }).check(
      z.minLength(1, { error: 'must not be empty' }),
      z.maxLength(LIMITS.exportedPrompts, {
        error: `must contain at most ${LIMITS.exportedPrompts} names`,
      }),
      z.refine((names) => new Set(names).size === names.length, {
        error: 'must contain each name once',
      }),
    ),
  }),
  errors: ['prompt_not_found'],
  ...MANY_ROWS,
  grants: [
    { on: 'table', actions: ['BatchGetItem'], partitions: ['apiKey', 'prompt'] },
    { on: 'table', actions: ['GetItem'], partitions: ['prompt'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
    ...NOTE_KEY,
  ],
  summary: 'Fetch the sources of prompts',
});
