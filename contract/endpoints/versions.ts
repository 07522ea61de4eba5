import * as z from 'zod/mini';
import { contentFields, draftFields, isContent, isDraftContent, note } from '../content/fields.ts';
import { endpoint } from '../endpoint.ts';
import { newPathLabel, oneOf, optional, revision } from '../fields/common.ts';
import { flag, strictFields, version } from '../fields/fields.ts';
import { confirm, paging, seenRev } from '../fields/query.ts';
import {
  AUDIT_CHANGE,
  CHANGE_LABELS,
  CHANGE_PROMPT,
  INCLUDE,
  JUDGE_INCLUDERS,
  JUDGE_USE,
  READ_USAGE,
} from '../functions/shared-grants.ts';
import { onTable } from '../table.ts';
import { editor, PATHS, viewer } from './for-operators.ts';

export const versionsList = endpoint({
  id: 'versions-list',
  ...viewer('GET', PATHS.versions),
  query: strictFields(paging),
  errors: ['prompt_not_found'],
  grants: [onTable(['GetItem', 'Query'], 'prompt'), READ_USAGE],
  summary: 'List the versions of a prompt',
});

const body = strictFields({
  ...contentFields,
  note: z.optional(note),
  version: z.optional(version),
  bump: z.optional(oneOf(['major', 'minor', 'patch'], 'The part of the highest version to increment.')),
  label: optional(
    newPathLabel,
    'A label to point to the new version in the same step, such as `production`.',
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
}).check(
  isContent,
  z.refine(
    ({ version, bump }) => (version === undefined) !== (bump === undefined),
    'Send exactly one of "version" and "bump".',
  ),
);

export const versionsPublish = endpoint({
  id: 'versions-publish',
  ...editor('POST', PATHS.versions),
  body,
  errors: ['prompt_not_found', 'version_taken', 'type_changed', 'label_protected', 'changed_meanwhile'],
  grants: [...CHANGE_PROMPT, INCLUDE, CHANGE_LABELS, onTable('DeleteItem', 'prompt')],
  summary: 'Publish a version',
});

export const versionsGet = endpoint({
  id: 'versions-get',
  ...viewer('GET', PATHS.version),
  errors: ['prompt_not_found', 'version_not_found'],
  grants: [onTable('GetItem', 'prompt')],
  summary: 'Fetch a version',
});

export const versionsDelete = endpoint({
  id: 'versions-delete',
  ...editor('DELETE', PATHS.version),
  query: strictFields({ confirm, rev: seenRev }),
  errors: [
    'prompt_not_found',
    'version_not_found',
    'version_labelled',
    'last_version',
    'in_use',
    'changed_meanwhile',
  ],
  grants: [...CHANGE_PROMPT, onTable('Query', 'prompt'), ...JUDGE_USE, ...JUDGE_INCLUDERS],
  summary: 'Delete a version',
});

export const draftsSave = endpoint({
  id: 'drafts-save',
  ...editor('PUT', PATHS.draft),
  body: strictFields({
    ...draftFields,
    note: z.optional(note),
    baseVersion: optional(version, 'The version that the draft is based on.'),
    rev: z.optional(revision('The `rev` of the draft as you last read it. Omit it for a new draft.')),
  }).check(isDraftContent),
  errors: ['prompt_not_found', 'changed_meanwhile'],
  grants: [onTable(['GetItem', 'ConditionCheckItem', 'PutItem'], 'prompt'), AUDIT_CHANGE],
  summary: 'Save the draft of the next version',
});

export const draftsDelete = endpoint({
  id: 'drafts-delete',
  ...editor('DELETE', PATHS.draft),
  query: strictFields({ rev: seenRev }),
  errors: ['prompt_not_found', 'draft_not_found', 'changed_meanwhile'],
  grants: [onTable(['GetItem', 'ConditionCheckItem', 'DeleteItem'], 'prompt'), AUDIT_CHANGE],
  summary: 'Discard the draft',
});
