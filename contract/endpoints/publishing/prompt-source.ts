import * as z from 'zod/mini';
import { MANY_ROWS, NOTE_KEY } from '../../admin.ts';
import { contentFields } from '../../content/fields.ts';
import { endpoint } from '../../endpoint.ts';
import { described, promptName, version } from '../../fields/fields.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { CONTENT, PROMPT, VERSION } from '../../http/examples.ts';
import { LIMITS } from '../../limits.ts';
import { contentHash } from '../../shapes/prompts.ts';

export const promptSource = endpoint({
  id: 'prompt-source',
  route: { method: 'POST', path: '/api/prompt/source' },
  access: { kind: 'api-key', permission: 'publish', publishing: true },
  body: strictFields(
    {
      names: z.array(promptName, { error: 'must be an array of strings' }).check(
        z.minLength(1, { error: 'must not be empty' }),
        z.maxLength(LIMITS.exportedPrompts, {
          error: `must contain at most ${LIMITS.exportedPrompts} names`,
        }),
        z.refine((names) => new Set(names).size === names.length, {
          error: 'must contain each name once',
        }),
      ),
    },
    { error: 'The body must be a JSON object, such as {"names": ["greeting"]}.' },
  ),
  reply: z.object({
    prompts: z.array(
      z.object({
        name: promptName,
        version,
        contentHash,
        note: z.string(),
        content: described(z.object(contentFields), 'The content as its author wrote it.'),
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
  description:
    'Returns the latest content of up to 20 prompts as their authors wrote it, in the given order. If they are large, it returns fewer, but at least one: ask again for the others. It does not count as a use of the prompts; the audit log has one entry for the call.',
  examples: [
    {
      summary: 'One prompt',
      body: { names: ['greeting'] },
      res: {
        prompts: [
          {
            name: PROMPT.name,
            version: VERSION.version,
            contentHash: PROMPT.contentHash,
            note: VERSION.note,
            content: CONTENT,
          },
        ],
      },
    },
  ],
});
