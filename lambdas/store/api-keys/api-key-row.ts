import type { Permission } from '../../../contract/endpoint.ts';
import { INDEX_PARTITIONS, PARTITIONS, TABLE } from '../../../contract/table.ts';
import type { ApiKey } from '../../core/api-keys/rules.ts';
import { type RowKind, readRow } from '../signing/rows.ts';
import type { Item, Key, Table } from '../table.ts';

/** The key of an API key's record. */
export const apiKeyKey = (keyId: string): Key => ({ pk: PARTITIONS.apiKey + keyId, sk: 'KEY' });

const isRevoked = ({ revokedAt }: Item): boolean => revokedAt !== undefined;

const toItem = (apiKey: ApiKey): Item => ({
  ...apiKeyKey(apiKey.keyId),
  [TABLE.index.partitionKey]: INDEX_PARTITIONS.apiKeys,
  [TABLE.index.sortKey]: `${apiKey.createdAt}#${apiKey.keyId}`,
  ...apiKey,
});

/** Reads a record, unverified. */
export const apiKeyOf = (item: Item): ApiKey => ({
  keyId: item.keyId as string,
  hash: isRevoked(item) ? '' : (item.hash as string),
  name: item.name as string,
  permissions: item.permissions as Permission[],
  tags: item.tags as string[],
  prompts: item.prompts as string[],
  cidrs: item.cidrs as string[],
  createdAt: item.createdAt as string,
  createdBy: item.createdBy as string,
  ...(item.expiresAt === undefined ? {} : { expiresAt: item.expiresAt as string }),
  ...(item.replaces === undefined ? {} : { replaces: item.replaces as string }),
  rev: item.rev as number,
  ...(item.revokedAt === undefined
    ? {}
    : { revokedAt: item.revokedAt as string, revokedBy: item.revokedBy as string }),
});

/**
 * The record of a key. A revoked one has neither hash nor signature: it admits nobody regardless of its other fields,
 * so revoking needs no permission to sign.
 */
export const API_KEY: RowKind<ApiKey> = {
  domain: 'api-key',
  keyOf: ({ keyId }) => apiKeyKey(keyId),
  // A revoked key never changes again.
  revisionOf: ({ rev, revokedAt }) => (revokedAt === undefined ? rev : Number.MAX_SAFE_INTEGER),
  fieldsOf: ({ keyId, hash, name, permissions, tags, prompts, cidrs, ...rest }) => [
    ...[keyId, hash, name, permissions, tags, prompts, cidrs],
    ...[rest.createdAt, rest.createdBy, rest.expiresAt, rest.replaces],
  ],
  toItem,
  fromItem: apiKeyOf,
  isUnsigned: isRevoked,
};

/** Finds a key's record by its id, strongly consistent. Errors: `integrity`, `unavailable`. */
export const findApiKey = (table: Table, keyId: string): Promise<ApiKey | undefined> =>
  readRow(table, API_KEY, apiKeyKey(keyId));
