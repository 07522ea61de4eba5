import * as z from 'zod/mini';
import { EDITOR, FEW_ROWS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { freeObject } from '../../fields/fields.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { EXAMPLES, PROMPT_ID } from '../../http/examples.ts';
import { LIMITS } from '../../limits.ts';
import { ofPrompt } from '../../shapes/common.ts';
import { examplesShape } from '../../shapes/prompts.ts';

export const examplesSave = endpoint({
  id: 'examples-save',
  route: { method: 'PUT', path: PATHS.examples },
  access: EDITOR,
  params: ofPrompt,
  body: strictFields(
    {
      values: freeObject(
        'Values by the names of variables. An empty object removes the examples.',
        LIMITS.examplesBytes,
      ),
    },
    { error: 'The body must be a JSON object, such as {"values": {"user": "Ada"}}.' },
  ),
  reply: z.object({ examples: z.nullable(examplesShape) }),
  errors: ['prompt_not_found'],
  ...FEW_ROWS,
  grants: [
    {
      on: 'table',
      actions: ['GetItem', 'ConditionCheckItem', 'PutItem', 'DeleteItem'],
      partitions: ['prompt'],
    },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
  ],
  summary: 'Save example values of a prompt',
  description:
    'Replaces the values that operators try the prompt with. All operators see them, and applications do not receive them. Do not save secrets.',
  examples: [
    {
      summary: 'One value',
      params: { promptId: PROMPT_ID },
      body: { values: EXAMPLES.values },
      res: { examples: EXAMPLES },
    },
  ],
});
