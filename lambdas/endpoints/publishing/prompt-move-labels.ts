import { promptMoveLabels } from '../../../contract/endpoints/publishing.ts';
import { requireMovable, requirePublishable, requireWriting } from '../../core/api-keys/publishing.ts';
import { publishingEndpoint } from '../../http/publishing-endpoint.ts';
import { moveLabels } from '../../store/prompts/label-sets.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';

const table = connectSigningTable();

export const handler = publishingEndpoint(promptMoveLabels, table, async ({ body, apiKey, change }) => {
  const { moves, dryRun } = body;
  requireWriting(apiKey, body);
  requirePublishable(
    apiKey,
    moves.map(({ name }) => name),
  );
  requireMovable(
    apiKey,
    moves.map(({ label }) => label),
  );
  return moveLabels(table, change, moves, { dryRun });
});
