import { JUDGE_USE, MANY_ROWS, PATHS, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { ofPrompt } from '../../shapes/common.ts';

export const callersList = endpoint({
  id: 'callers-list',
  route: { method: 'GET', path: PATHS.callers },
  access: VIEWER,
  params: ofPrompt,
  errors: ['prompt_not_found'],
  ...MANY_ROWS,
  grants: [{ on: 'table', actions: ['GetItem'], partitions: ['prompt'] }, ...JUDGE_USE],
  summary: 'List the API keys that fetch a prompt, by what they ask for',
});
