import { promptsDeleteSeveral } from '../../../contract/endpoints/prompts.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { deletePrompts } from '../../store/views/prompt-deletions.ts';

export const handler = changeEndpoint(promptsDeleteSeveral, ({ table, body, change }) =>
  deletePrompts(table, change, body),
);
