import * as z from 'zod/mini';
import {
  ADMIN,
  CHANGE_PROMPT,
  JUDGE_INCLUDERS,
  JUDGE_USE,
  LIST_PROMPTS,
  MANY_ROWS,
  PATHS,
} from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { flag, promptName, strictFields, text } from '../../fields/fields.ts';
import { LIMITS } from '../../limits.ts';
import { keyId, optional } from '../../shapes/common.ts';

export const promptsDeleteSeveral = endpoint({
  id: 'prompts-delete-several',
  route: { method: 'POST', path: PATHS.promptDeletions },
  access: ADMIN,
  body: strictFields({
    folder: z.optional(
      text(LIMITS.promptNameBytes, 'The prompts whose name begins with it and a slash, such as `billing`.'),
    ),
    createdByKey: optional(keyId, 'The prompts that the API key with this id has created.'),
    confirm: z.optional(flag('Send `true` to delete also those that are in use.')),
    cursor: optional(promptName, 'The cursor of the previous call: a name.'),
  }).check(
    z.refine(({ folder, createdByKey }) => (folder === undefined) !== (createdByKey === undefined), {
      error: 'The body must have either "folder" or "createdByKey".',
    }),
  ),
  ...MANY_ROWS,
  grants: [
    ...LIST_PROMPTS,
    ...CHANGE_PROMPT,
    { on: 'table', actions: ['PutItem'], partitions: ['promptPurge'] },
    ...JUDGE_USE,
    ...JUDGE_INCLUDERS,
  ],
  summary: 'Delete the prompts of a folder or an API key',
});
