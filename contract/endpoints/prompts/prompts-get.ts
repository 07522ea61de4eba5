import { PATHS, READ_FAILING, READ_USAGE, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { ofPrompt } from '../../shapes/common.ts';

export const promptsGet = endpoint({
  id: 'prompts-get',
  route: { method: 'GET', path: PATHS.prompt },
  access: VIEWER,
  params: ofPrompt,
  errors: ['prompt_not_found'],
  grants: [{ on: 'table', actions: ['GetItem'], partitions: ['prompt'] }, ...READ_USAGE, READ_FAILING],
  summary: 'Fetch a prompt with its draft and example values',
});
