import * as z from 'zod/mini';
import { CHANGE_PROMPT, EDITOR, FEW_ROWS, OPERATOR_LABELS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { described, revision, strictFields, version } from '../../fields/fields.ts';
import { ofNewLabel } from '../../shapes/common.ts';

export const labelsSet = endpoint({
  id: 'labels-set',
  route: { method: 'PUT', path: PATHS.label },
  access: EDITOR,
  params: ofNewLabel,
  body: strictFields(
    {
      version,
      expected: z.optional(
        described(
          z.union([version, z.literal('none')], { error: 'must be a version, or "none"' }),
          'The version that the label must point to now, or `none` for a new label. The request fails otherwise.',
        ),
      ),
      rev: z.optional(
        revision('The `rev` of the prompt as you last read it. The request fails if the prompt has changed.'),
      ),
    },
    { error: 'The body must be a JSON object, such as {"version": "1.2.0"}.' },
  ),
  errors: ['prompt_not_found', 'version_not_found', 'label_protected', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [...CHANGE_PROMPT, ...OPERATOR_LABELS],
  summary: 'Point a label to a version',
});
