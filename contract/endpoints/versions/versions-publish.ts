import * as z from 'zod/mini';
import { CHANGE_LABELS, CHANGE_PROMPT, EDITOR, FEW_ROWS, PATHS } from '../../admin.ts';
import { contentFields, isContent } from '../../content/fields.ts';
import { endpoint } from '../../endpoint.ts';
import { described, flag, note, revision, version } from '../../fields/fields.ts';
import { oneOf } from '../../fields/query.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { CONTENT, PROMPT, PROMPT_ID } from '../../http/examples.ts';
import { newPathLabel, ofPrompt } from '../../shapes/common.ts';
import { contentHash, promptShape } from '../../shapes/prompts.ts';

const body = strictFields(
  {
    ...contentFields,
    note: z.optional(note),
    version: z.optional(version),
    bump: z.optional(oneOf(['major', 'minor', 'patch'], 'The part of the highest version to increment.')),
    label: z.optional(
      described(newPathLabel, 'A label to point to the new version in the same step, such as `production`.'),
    ),
    rev: z.optional(
      revision('The `rev` of the prompt as you last read it. The request fails if the prompt has changed.'),
    ),
    draftRev: z.optional(revision('The `rev` of the draft that is published. The draft is removed.')),
    changeType: z.optional(
      flag(
        'Send `true` to publish a chat where the latest version is a text, or the reverse. It breaks applications.',
      ),
    ),
  },
  { error: 'The body must be a JSON object, such as {"prompt": "Hello {{user}}!", "bump": "minor"}.' },
).check(
  isContent,
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
  reply: z.object({ prompt: promptShape, version, contentHash }),
  errors: ['prompt_not_found', 'version_taken', 'type_changed', 'label_protected', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [
    ...CHANGE_PROMPT,
    ...CHANGE_LABELS,
    { on: 'table', actions: ['DeleteItem'], partitions: ['prompt'] },
  ],
  summary: 'Publish a version',
  description:
    'Send either `version`, or `bump` for the next version above the highest so far. A version may be lower than the latest, but its number must be new. A published version never changes. A version whose type differs from that of the latest needs `changeType`.',
  examples: [
    {
      summary: 'The next minor version',
      params: { promptId: PROMPT_ID },
      body: { ...CONTENT, note: 'Say hello', bump: 'minor', label: 'production', rev: 2 },
      res: { prompt: PROMPT, version: '1.1.0', contentHash: PROMPT.contentHash },
    },
  ],
});
