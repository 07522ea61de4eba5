import { EDITOR, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { freeObject, strictFields } from '../../fields/fields.ts';
import { LIMITS } from '../../limits.ts';
import { ofPrompt } from '../../shapes/common.ts';

export const examplesSave = endpoint({
  id: 'examples-save',
  route: { method: 'PUT', path: PATHS.examples },
  access: EDITOR,
  params: ofPrompt,
  body: strictFields({
    values: freeObject(
      'Values by the names of variables. An empty object removes the examples.',
      LIMITS.examplesBytes,
    ),
  }),
  errors: ['prompt_not_found'],
  grants: [
    {
      on: 'table',
      actions: ['GetItem', 'ConditionCheckItem', 'PutItem', 'DeleteItem'],
      partitions: ['prompt'],
    },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
  ],
  summary: 'Save example values of a prompt',
});
