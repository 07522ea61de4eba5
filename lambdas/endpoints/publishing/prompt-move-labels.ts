import { promptMoveLabels } from '../../../contract/endpoints/publishing/prompt-move-labels.ts';
import { requireMovable, requirePublishable } from '../../core/api-keys/rules.ts';
import { changeOf, keyEndpoint } from '../../http/key-endpoint.ts';
import { moveLabels } from '../../store/prompts/label-sets.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';

const table = connectSigningTable();

/** Moves labels of several prompts. */
export const handler = keyEndpoint(promptMoveLabels, table, async ({ body, admitted, ...request }) => {
  const { moves, dryRun } = body;
  const [apiKey] = await admitted(Promise.resolve());
  requirePublishable(
    apiKey,
    moves.map(({ name }) => name),
  );
  requireMovable(
    apiKey,
    moves.map(({ label }) => label),
  );
  return moveLabels(table, changeOf(request, apiKey), moves, { dryRun });
});
