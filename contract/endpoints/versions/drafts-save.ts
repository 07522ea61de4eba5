import * as z from 'zod/mini';
import { EDITOR, FEW_ROWS, PATHS } from '../../admin.ts';
import { draftFields, isDraftContent, note } from '../../content/fields.ts';
import { endpoint } from '../../endpoint.ts';
import { described, revision, strictFields, version } from '../../fields/fields.ts';
import { ofPrompt } from '../../shapes/common.ts';

export const draftsSave = endpoint({
  id: 'drafts-save',
  route: { method: 'PUT', path: PATHS.draft },
  access: EDITOR,
  params: ofPrompt,
  body: strictFields(
    {
      ...draftFields,
      note: z.optional(note),
      baseVersion: z.optional(described(version, 'The version that the draft is based on.')),
      rev: z.optional(revision('The `rev` of the draft as you last read it. Omit it for a new draft.')),
    },
    { error: 'The body must be a JSON object, such as {"prompt": "Hello {{user}}!"}.' },
  ).check(isDraftContent),
  errors: ['prompt_not_found', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem', 'ConditionCheckItem', 'PutItem'], partitions: ['prompt'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
  ],
  summary: 'Save the draft of the next version',
});
