import * as z from 'zod/mini';
import { FEW_ROWS, PATHS, READ_USAGE, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { DRAFT, EXAMPLES, FETCHES, PROMPT, PROMPT_ID } from '../../http/examples.ts';
import { ofPrompt } from '../../shapes/common.ts';
import { draftShape, examplesShape, fetchesShape, promptShape } from '../../shapes/prompts.ts';

export const promptsGet = endpoint({
  id: 'prompts-get',
  route: { method: 'GET', path: PATHS.prompt },
  access: VIEWER,
  params: ofPrompt,
  reply: z.object({
    prompt: promptShape,
    draft: z.nullable(draftShape),
    examples: z.nullable(examplesShape),
    fetches: fetchesShape,
  }),
  errors: ['prompt_not_found'],
  ...FEW_ROWS,
  grants: [{ on: 'table', actions: ['GetItem'], partitions: ['prompt'] }, ...READ_USAGE],
  summary: 'Fetch a prompt with its draft and example values',
  description:
    'Returns the prompt without its versions, the draft of its next version and its example values if there are any, and its usage.',
  examples: [
    {
      summary: 'A prompt',
      params: { promptId: PROMPT_ID },
      res: { prompt: PROMPT, draft: DRAFT, examples: EXAMPLES, fetches: FETCHES },
    },
  ],
});
