import type { Permission } from '../../contract/endpoint.ts';

import { type ApiKey, admit, type Bearer, unauthenticated } from '../core/api-keys/rules.ts';
import { describeError, log } from '../log.ts';
import { findApiKey } from '../store/api-keys/api-keys.ts';
import type { ApiKeyUses } from '../store/api-keys/uses.ts';
import type { Table } from '../store/table.ts';

/**
 * Reads the record of the API key in a request and judges it: returns the record. Without a key, nothing is read.
 * Errors: `unauthenticated`, `forbidden`, `address_not_allowed`, `unavailable`.
 */
export const authenticate = async (
  table: Table,
  permission: Permission,
  bearer: Bearer | undefined,
  { sourceIp, at }: { readonly sourceIp: string; readonly at: Date },
): Promise<ApiKey> => {
  if (bearer === undefined) throw unauthenticated('malformed_key');
  return admit(await findApiKey(table, bearer.keyId), bearer.apiKey, permission, sourceIp, at);
};

/** Notes the use of an admitted key. A note that cannot be written is logged and costs the caller nothing. */
export const noteUse = async (
  uses: ApiKeyUses,
  admitted: Promise<ApiKey>,
  at: Date,
  requestId: string,
): Promise<void> => {
  const apiKey = await admitted.catch(() => undefined);
  if (apiKey === undefined) return;
  await uses.note(apiKey.keyId, at).catch((error: unknown) => {
    log('warn', 'last use not noted', { requestId, keyId: apiKey.keyId, error: describeError(error) });
  });
};
