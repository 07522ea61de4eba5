import type { Permission } from '../../contract/endpoint.ts';
import { parseApiKey } from '../core/api-keys/api-keys.ts';
import { type ApiKey, admit, bearerOf, unauthenticated } from '../core/api-keys/rules.ts';
import { describeError, log } from '../log.ts';
import { findApiKey } from '../store/api-keys/api-keys.ts';
import type { ApiKeyUses } from '../store/api-keys/uses.ts';
import type { Table } from '../store/table.ts';
import type { HttpEvent } from './call.ts';

/** What is known of a request's API key before any read. */
export interface Bearer {
  readonly apiKey: string;
  readonly keyId: string;
}

/**
 * The API key in the `Authorization` header. What is not a key by its form or checksum is refused here, without a
 * read. Errors: `unauthenticated`.
 */
export const readBearer = (event: HttpEvent): Bearer => {
  const apiKey = bearerOf(event.headers.authorization);
  const parsed = parseApiKey(apiKey);
  if (parsed === undefined) throw unauthenticated();
  return { apiKey, keyId: parsed.keyId };
};

/**
 * Reads the key's record and judges it: returns the record. Errors: `unauthenticated`, `forbidden`,
 * `address_not_allowed`, `unavailable`.
 */
export const authenticate = async (
  table: Table,
  permission: Permission,
  { apiKey, keyId }: Bearer,
  { sourceIp, at }: { readonly sourceIp: string; readonly at: Date },
): Promise<ApiKey> => admit(await findApiKey(table, keyId), apiKey, permission, sourceIp, at);

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
