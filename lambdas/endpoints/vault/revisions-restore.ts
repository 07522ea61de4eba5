import { revisionsRestore } from '../../../contract/endpoints/vault/revisions-restore.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { withinPage } from '../../core/lists/lists.ts';
import { confirmedChange, operatorEndpoint } from '../../http/operator-endpoint.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';
import { previewRevision, restoreRevision } from '../../store/vault/revisions.ts';

const table = connectSigningTable();

const some = (keys: readonly string[]) => (keys.length === 0 ? [] : withinPage(keys, LIMITS.pageBytes / 2));

/** Restores an earlier revision of the vault, or shows what that would change. */
export const handler = operatorEndpoint(revisionsRestore, async (call) => {
  const { revision } = call.params;
  if (call.body.dryRun === true) {
    const { returning, removed, changed } = await previewRevision(table, revision, call.at);
    return { revision: null, returning: some(returning), removed: some(removed), changed: some(changed) };
  }
  const restored = await restoreRevision(table, confirmedChange(call), revision);
  return { revision: restored, returning: [], removed: [], changed: [] };
});
