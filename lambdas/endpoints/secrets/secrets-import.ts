import { secretsImport } from '../../../contract/endpoints/secrets/secrets-import.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { importEnv, previewEnv } from '../../store/secrets/env-import.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';

const table = connectSigningTable();

/** Stores the secrets of a `.env` text, or reports what an import would do. */
export const handler = operatorEndpoint(secretsImport, async ({ body, change }) => {
  const { text, tags = [], dryRun = false } = body;
  if (dryRun) return { stored: false, ...(await previewEnv(table, text, tags)) };
  return { stored: true, ...(await importEnv(table, change, text, tags)), assignments: [], problems: [] };
});
