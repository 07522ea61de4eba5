import * as z from 'zod/mini';
import { CHANGE_PROMPT, COUNT_PROMPTS, EDITOR, INCLUDE, OPERATOR_LABELS, PATHS } from '../../admin.ts';
import { contentFields, isContent, note } from '../../content/fields.ts';
import { endpoint } from '../../endpoint.ts';
import { flag, promptName, strictFields, version } from '../../fields/fields.ts';
import { newPathLabel, optional } from '../../shapes/common.ts';

export const promptsCreate = endpoint({
  id: 'prompts-create',
  route: { method: 'POST', path: PATHS.prompts },
  access: EDITOR,
  body: strictFields({
    name: promptName,
    version: z.optional(version),
    label: optional(newPathLabel, 'A label to point to the first version, such as `production`.'),
    ...contentFields,
    note: z.optional(note),
    overDeleted: z.optional(
      flag(
        'Send `true` to create it although a deleted prompt of this name can be restored: from then on it cannot.',
      ),
    ),
  }).check(isContent),
  errors: [
    'name_taken',
    'restorable',
    'version_taken',
    'label_protected',
    'changed_meanwhile',
    'too_many_prompts',
  ],
  grants: [
    ...CHANGE_PROMPT,
    ...INCLUDE,
    ...OPERATOR_LABELS,
    ...COUNT_PROMPTS,
    { on: 'table', actions: ['PutItem'], partitions: ['promptPurge'] },
    { on: 'table', actions: ['DeleteItem'], partitions: ['prompt'] },
  ],
  summary: 'Create a prompt with its first version',
});
