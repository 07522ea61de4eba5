import * as z from 'zod/mini';
import { CHANGE_PROMPT, EDITOR, FEW_ROWS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { CONTENT, PROMPT, PROMPT_ID } from '../../examples.ts';
import { revision, version } from '../../fields/fields.ts';
import { oneOf } from '../../fields/query.ts';
import { ofPrompt } from '../../shapes/common.ts';
import { newContent, promptShape } from '../../shapes/prompts.ts';

const body = z
  .object(
    {
      ...newContent,
      version: z.optional(version),
      bump: z.optional(
        oneOf(['major', 'minor', 'patch'], 'The part of the highest version so far to raise.'),
      ),
      rev: z.optional(revision('The `rev` of the prompt that you have seen; another one is refused.')),
      draftRev: z.optional(
        revision('The `rev` of the draft that this publishes: the draft is removed along with it.'),
      ),
    },
    { error: 'The body must be a JSON object, such as {"prompt": "Hello {{user}}!", "bump": "minor"}.' },
  )
  .check(
    z.refine(({ version, bump }) => (version === undefined) !== (bump === undefined), {
      error: 'Send exactly one of "version" and "bump".',
    }),
  );

export const versionsPublish = endpoint({
  id: 'versions-publish',
  route: { method: 'POST', path: PATHS.versions },
  access: EDITOR,
  params: ofPrompt,
  body,
  reply: z.object({ prompt: promptShape, version }),
  errors: ['prompt_not_found', 'version_taken', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [...CHANGE_PROMPT, { on: 'table', actions: ['DeleteItem'], partitions: ['prompt'] }],
  summary: 'Publish a version',
  description:
    'Either `version`, or `bump` for the next one above the highest so far. A version may be below the latest; its number may not have been used before, and what it holds never changes.',
  examples: [
    {
      summary: 'The next minor version',
      params: { promptId: PROMPT_ID },
      body: { ...CONTENT, note: 'Say hello', bump: 'minor', rev: 2 },
      res: { prompt: PROMPT, version: '1.1.0' },
    },
  ],
});
