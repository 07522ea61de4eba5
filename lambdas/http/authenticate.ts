import type { Permission } from '../../contract/endpoint.ts';

import { type ApiKey, admit, type Bearer, unauthenticated } from '../core/api-keys/rules.ts';
import { findApiKey } from '../store/api-keys/api-key-row.ts';
import type { Table } from '../store/table.ts';

/**
 * Reads the record of the API key in a request, checks that it admits the call, and returns it. Without a key, nothing
 * is read.
 * Errors: `unauthenticated`, `forbidden`, `address_not_allowed`, `unavailable`.
 */
export const authenticate = async (
  table: Table,
  permission: Permission | readonly Permission[],
  bearer: Bearer | undefined,
  { sourceIp, at }: { readonly sourceIp: string; readonly at: Date },
): Promise<ApiKey> => {
  if (bearer === undefined) throw unauthenticated('malformed_key');
  return admit(await findApiKey(table, bearer.keyId), bearer.apiKey, permission, sourceIp, at);
};
