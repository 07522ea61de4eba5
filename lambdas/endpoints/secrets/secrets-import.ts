import { secretsImport } from '../../../contract/endpoints/secrets/secrets-import.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { confirmedChange } from '../../http/operator-endpoint.ts';
import { importEnv, previewEnv } from '../../store/secrets/env-import.ts';

export const handler = changeEndpoint(secretsImport, async (call) => {
  const { text, tags = [], skip = [], dryRun = false } = call.body;
  const content = { text, tags, skip };
  if (dryRun) return { stored: false, ...(await previewEnv(call.table, content, call.at)) };
  const imported = await importEnv(call.table, confirmedChange(call), content);
  return { stored: true, ...imported, assignments: [], problems: [], widened: [] };
});
