import { promptsRestore } from '../../../contract/endpoints/prompts/prompts-restore.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { promptOf } from '../../http/serializers/prompts.ts';
import { restorePrompt } from '../../store/prompts/lifecycle.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';

const table = connectSigningTable();

/** Restores a deleted prompt. */
export const handler = operatorEndpoint(promptsRestore, async ({ params: { promptId }, change }) => ({
  prompt: promptOf(await restorePrompt(table, change, promptId)),
}));
