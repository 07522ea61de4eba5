import { revisionsRestore } from '../../../contract/endpoints/vault.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { withinPage } from '../../core/lists/lists.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { confirmedChange } from '../../http/operator-endpoint.ts';
import { previewRevision, restoreRevision } from '../../store/vault/revisions.ts';
import { readersWithTags } from '../../store/views/secret-readers.ts';

const some = (keys: readonly string[]) => (keys.length === 0 ? [] : withinPage(keys, LIMITS.pageBytes / 4));

export const handler = changeEndpoint(revisionsRestore, async (call) => {
  const { vault, params, body, at } = call;
  if (body.dryRun === true) {
    const preview = await previewRevision(vault, params.revision, at);
    const { returning, removed, changed, switchedOff, tags } = preview;
    const readers = (await readersWithTags(vault, tags, at)).map(({ apiKeyName }) => apiKeyName);
    return {
      revision: null,
      returning: some(returning),
      removed: some(removed),
      changed: some(changed),
      switchedOff: some(switchedOff),
      readers: some(readers),
    };
  }
  const restored = await restoreRevision(vault, confirmedChange(call), params.revision, body);
  return { revision: restored, returning: [], removed: [], changed: [], switchedOff: [], readers: [] };
});
