import { secretsImport } from '../../../contract/endpoints/secrets/secrets-import.ts';
import { confirmedChange, operatorEndpoint } from '../../http/operator-endpoint.ts';
import { importEnv, previewEnv } from '../../store/secrets/env-import.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';

const table = connectSigningTable();

/** Stores the secrets of a `.env` text, or reports what an import would do. */
export const handler = operatorEndpoint(secretsImport, async (call) => {
  const { text, tags = [], skip = [], dryRun = false } = call.body;
  const content = { text, tags, skip };
  if (dryRun) return { stored: false, ...(await previewEnv(table, content, call.at)) };
  const imported = await importEnv(table, confirmedChange(call), content);
  return { stored: true, ...imported, assignments: [], problems: [], widened: [] };
});
