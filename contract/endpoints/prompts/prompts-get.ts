import * as z from 'zod/mini';
import { FEW_ROWS, PATHS, READ_USAGE, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { DRAFT, FETCHES, PROMPT, PROMPT_ID } from '../../http/examples.ts';
import { ofPrompt } from '../../shapes/common.ts';
import { draftShape, fetchesShape, promptShape } from '../../shapes/prompts.ts';

export const promptsGet = endpoint({
  id: 'prompts-get',
  route: { method: 'GET', path: PATHS.prompt },
  access: VIEWER,
  params: ofPrompt,
  reply: z.object({ prompt: promptShape, draft: z.nullable(draftShape), fetches: fetchesShape }),
  errors: ['prompt_not_found'],
  ...FEW_ROWS,
  grants: [{ on: 'table', actions: ['GetItem'], partitions: ['prompt'] }, ...READ_USAGE],
  summary: 'Fetch a prompt with its draft',
  description:
    'Returns the prompt without its versions, the draft of its next version if there is one, and its usage.',
  examples: [
    {
      summary: 'A prompt',
      params: { promptId: PROMPT_ID },
      res: { prompt: PROMPT, draft: DRAFT, fetches: FETCHES },
    },
  ],
});
