import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { newPathLabel, optional, revision } from '../fields/common.ts';
import { promptId, strictFields, version } from '../fields/fields.ts';
import { seenRev } from '../fields/query.ts';
import { CHANGE_LABELS, CHANGE_PROMPT, PROTECT_LABELS } from '../functions/shared-grants.ts';
import { labelMovesBody } from '../shapes/publishing.ts';
import { admin, editor, MANY_ROWS, PATHS } from './for-operators.ts';

export const labelsSet = endpoint({
  id: 'labels-set',
  ...editor('PUT', PATHS.label),
  params: z.object({ promptId, label: newPathLabel }),
  body: strictFields({
    version,
    expected: optional(
      z.union([version, z.literal('none')], 'must be a version, or "none"'),
      'The version that the label must point to now, or `none` for a new label. The request fails otherwise.',
    ),
    rev: z.optional(
      revision('The `rev` of the prompt as you last read it. The request fails if the prompt has changed.'),
    ),
  }),
  errors: ['prompt_not_found', 'version_not_found', 'label_protected', 'changed_meanwhile'],
  grants: [...CHANGE_PROMPT, CHANGE_LABELS],
  summary: 'Point a label to a version',
});

export const labelsRemove = endpoint({
  id: 'labels-remove',
  ...editor('DELETE', PATHS.label),
  query: strictFields({ rev: seenRev }),
  errors: ['prompt_not_found', 'label_not_found', 'label_protected', 'changed_meanwhile'],
  grants: [...CHANGE_PROMPT, CHANGE_LABELS],
  summary: 'Remove a label',
});

export const labelsMove = endpoint({
  id: 'labels-move',
  ...editor('POST', '/api/admin/label-moves'),
  body: labelMovesBody,
  errors: ['prompt_not_found', 'version_not_found', 'label_protected', 'changed_meanwhile'],
  ...MANY_ROWS,
  grants: [...CHANGE_PROMPT, CHANGE_LABELS],
  summary: 'Move labels of several prompts',
});

export const labelsProtect = endpoint({
  id: 'labels-protect',
  ...admin('PUT', PATHS.protectedLabel),
  params: z.object({ label: newPathLabel }),
  errors: ['changed_meanwhile'],
  grants: PROTECT_LABELS,
  summary: 'Protect a label',
});

export const labelsUnprotect = endpoint({
  id: 'labels-unprotect',
  ...admin('DELETE', PATHS.protectedLabel),
  errors: ['label_not_found', 'changed_meanwhile'],
  grants: PROTECT_LABELS,
  summary: 'Remove the protection of a label',
});
