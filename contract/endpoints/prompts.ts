import * as z from 'zod/mini';
import { ROLES } from '../content/content.ts';
import { contentFields, isContent, note } from '../content/fields.ts';
import { extraFields } from '../content/shapes.ts';
import { endpoint } from '../endpoint.ts';
import { keyId, newPathLabel, oneOf, optional, optionalString, pathLabel } from '../fields/common.ts';
import {
  flag,
  freeObject,
  listOf,
  longText,
  promptId,
  promptName,
  strictFields,
  tag,
  text,
  version,
} from '../fields/fields.ts';
import { choice, confirm, order, paging, search, seenRev } from '../fields/query.ts';
import {
  AUDIT_CHANGE,
  CHANGE_LABELS,
  CHANGE_PROMPT,
  COUNT_PROMPTS,
  INCLUDE,
  JUDGE_INCLUDERS,
  JUDGE_USE,
  LIST_PROMPTS,
  READ_DAYS,
  READ_FAILING,
  READ_USAGE,
} from '../functions/shared-grants.ts';
import { LIMITS } from '../limits.ts';
import { onIndex, onTable } from '../table.ts';
import { admin, editor, MANY_ROWS, PATHS, viewer } from './for-operators.ts';

export const promptsList = endpoint({
  id: 'prompts-list',
  ...viewer('GET', PATHS.prompts),
  query: strictFields({
    q: z.optional(search('Only prompts whose name, tags, labels or `excerpt` contain this text.')),
    texts: z.optional(
      choice(
        'With `q`, also the prompts in whose latest and labelled versions it is: by name, part by part.',
      ),
    ),
    tag: z.optional(tag),
    label: z.optional(text(128, 'Only prompts with this label.')),
    fetched: z.optional(
      choice(`Only prompts that were fetched within the last ${LIMITS.shownDays} days, or only the others.`),
    ),
    draft: z.optional(choice('Only prompts with a draft of the next version, or only the others.')),
    folder: z.optional(
      text(
        LIMITS.promptNameBytes,
        'Only prompts in this folder: those whose name begins with it and a slash, such as `billing`.',
      ),
    ),
    view: z._default(
      oneOf(
        ['all', 'folders'],
        'With `folders`, prompts in subfolders are counted in `folders` and not listed.',
      ),
      'all',
    ),
    sort: z._default(oneOf(['name', 'changed', 'fetches', 'fetched'], 'What the list is sorted by.'), 'name'),
    order,
    ...paging,
  }),
  ...MANY_ROWS,
  grants: [
    LIST_PROMPTS,
    onIndex('drafts', 'watched'),
    READ_DAYS,
    onTable(['Query', 'BatchGetItem'], 'recentFetches'),
    onTable('BatchGetItem', 'prompt'),
  ],
  summary: 'List prompts',
});

export const promptsFind = endpoint({
  id: 'prompts-find',
  ...viewer('POST', '/api/admin/prompt-sources'),
  body: strictFields({
    text: text(
      LIMITS.templateBytes,
      'A text that a prompt was compiled to, such as the system prompt in a log; or the content hash in a trace.',
    ),
    cursor: optionalString('The cursor of the previous call.'),
  }),
  ...MANY_ROWS,
  grants: [LIST_PROMPTS, onTable('BatchGetItem', 'prompt')],
  summary: 'Find the versions that a compiled text comes from',
});

export const promptsTry = endpoint({
  id: 'prompts-try',
  ...editor('POST', '/api/admin/prompt-trials'),
  body: strictFields({
    model: text(LIMITS.modelBytes, 'Id of a model or an inference profile.'),
    promptId: optional(promptId, 'The prompt that is tried, for the audit log. Absent for a new one.'),
    messages: listOf(
      strictFields({
        role: oneOf(ROLES, 'Who says it.'),
        content: longText(LIMITS.textBytes, 'The compiled text.'),
      }),
      LIMITS.messages,
      'The compiled messages; a text is one of the user.',
      1,
    ),
    tools: extraFields.tools,
    config: extraFields.config,
  }),
  bodyBytes: LIMITS.triedBytes,
  // API Gateway waits for 30 seconds.
  timeoutSeconds: 29,
  errors: ['prompt_not_found', 'rate_limited'],
  grants: [onTable('GetItem', 'prompt'), onTable('UpdateItem', 'questions'), AUDIT_CHANGE],
  summary: 'Run a compiled prompt on a model',
});

export const promptsCreate = endpoint({
  id: 'prompts-create',
  ...editor('POST', PATHS.prompts),
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
    INCLUDE,
    CHANGE_LABELS,
    ...COUNT_PROMPTS,
    onTable('PutItem', 'promptPurge'),
    onTable('DeleteItem', 'prompt'),
  ],
  summary: 'Create a prompt with its first version',
});

export const promptsGet = endpoint({
  id: 'prompts-get',
  ...viewer('GET', PATHS.prompt),
  query: strictFields({
    version: z.optional(
      z.union([z.literal('latest'), version]).check(
        z.meta({
          description:
            'The version to include: a number or `latest`. Without it, the one that the label `production` points to, or else the latest.',
        }),
      ),
    ),
  }),
  errors: ['prompt_not_found'],
  grants: [onTable(['BatchGetItem', 'GetItem', 'Query'], 'prompt'), READ_USAGE, READ_FAILING],
  summary: 'Fetch a prompt with what its page shows',
});

export const promptsDelete = endpoint({
  id: 'prompts-delete',
  ...editor('DELETE', PATHS.prompt),
  query: strictFields({ confirm, rev: seenRev }),
  errors: ['prompt_not_found', 'in_use', 'label_protected', 'changed_meanwhile'],
  grants: [
    ...CHANGE_PROMPT,
    CHANGE_LABELS,
    onTable('PutItem', 'promptPurge'),
    ...JUDGE_USE,
    ...JUDGE_INCLUDERS,
  ],
  summary: 'Delete a prompt',
});

export const promptsDeleteSeveral = endpoint({
  id: 'prompts-delete-several',
  ...admin('POST', '/api/admin/prompt-deletions'),
  body: strictFields({
    folder: z.optional(
      text(LIMITS.promptNameBytes, 'The prompts whose name begins with it and a slash, such as `billing`.'),
    ),
    createdByKey: optional(keyId, 'The prompts that the API key with this id has created.'),
    confirm: z.optional(flag('Send `true` to delete also those that are in use.')),
    cursor: optional(promptName, 'The cursor of the previous call: a name.'),
  }).check(
    z.refine(
      ({ folder, createdByKey }) => (folder === undefined) !== (createdByKey === undefined),
      'The body must have either "folder" or "createdByKey".',
    ),
  ),
  ...MANY_ROWS,
  grants: [
    LIST_PROMPTS,
    ...CHANGE_PROMPT,
    onTable('PutItem', 'promptPurge'),
    ...JUDGE_USE,
    ...JUDGE_INCLUDERS,
  ],
  summary: 'Delete the prompts of a folder or an API key',
});

export const promptsRestore = endpoint({
  id: 'prompts-restore',
  ...editor('POST', `${PATHS.prompt}/restore`),
  errors: ['prompt_not_found', 'not_deleted', 'label_protected', 'changed_meanwhile'],
  grants: [...CHANGE_PROMPT, CHANGE_LABELS, onTable('DeleteItem', 'promptPurge')],
  summary: 'Restore a deleted prompt',
});

export const promptsListDeleted = endpoint({
  id: 'prompts-list-deleted',
  ...viewer('GET', '/api/admin/deleted-prompts'),
  query: strictFields({
    promptId: z.optional(search('Only the prompt with this id, if it is deleted and can be restored.')),
    ...paging,
  }),
  grants: [onTable('Query', 'promptPurge'), onTable('GetItem', 'prompt')],
  summary: 'List deleted prompts that can be restored',
});

export const examplesSave = endpoint({
  id: 'examples-save',
  ...editor('PUT', PATHS.examples),
  body: strictFields({
    values: freeObject(
      'Values by the names of variables. An empty object removes the examples.',
      LIMITS.examplesBytes,
    ),
  }),
  errors: ['prompt_not_found'],
  grants: [onTable(['GetItem', 'ConditionCheckItem', 'PutItem', 'DeleteItem'], 'prompt'), AUDIT_CHANGE],
  summary: 'Save example values of a prompt',
});

export const eventsList = endpoint({
  id: 'events-list',
  ...viewer('GET', PATHS.events),
  query: strictFields({ label: z.optional(pathLabel) }),
  errors: ['prompt_not_found'],
  grants: [onTable(['GetItem', 'Query'], 'prompt')],
  summary: 'List the changes of a prompt',
});
