import { promptsRestore } from '../../../contract/endpoints/prompts.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { promptOf } from '../../http/serializers/prompts.ts';
import { restorePrompt } from '../../store/prompts/lifecycle.ts';

export const handler = changeEndpoint(promptsRestore, async ({ table, params: { promptId }, change }) => ({
  prompt: promptOf(await restorePrompt(table, change, promptId)),
}));
