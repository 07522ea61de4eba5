import { secretsImport } from '../../../contract/endpoints/secrets.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { confirmedChange } from '../../http/operator-endpoint.ts';
import { importEnv, previewEnv } from '../../store/secrets/env-import.ts';

export const handler = changeEndpoint(secretsImport, async (call) => {
  const { vault } = call;
  if (call.body.dryRun === true) return { stored: false, ...(await previewEnv(vault, call.body, call.at)) };
  const imported = await importEnv(vault, confirmedChange(call), call.body);
  return { stored: true, ...imported, assignments: [], problems: [], widened: [] };
});
