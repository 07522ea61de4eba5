import * as z from 'zod/mini';
import { CHANGE_PROMPT, EDITOR, FEW_ROWS, INCLUDE, OPERATOR_LABELS, PATHS } from '../../admin.ts';
import { contentFields, isContent, note } from '../../content/fields.ts';
import { endpoint } from '../../endpoint.ts';
import { described, flag, revision, strictFields, version } from '../../fields/fields.ts';
import { oneOf } from '../../fields/query.ts';
import { newPathLabel, ofPrompt } from '../../shapes/common.ts';

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
  errors: ['prompt_not_found', 'version_taken', 'type_changed', 'label_protected', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [
    ...CHANGE_PROMPT,
    ...INCLUDE,
    ...OPERATOR_LABELS,
    { on: 'table', actions: ['DeleteItem'], partitions: ['prompt'] },
  ],
  summary: 'Publish a version',
});
