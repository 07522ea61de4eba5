import type { Permission } from '../../../contract/endpoint.ts';
import { INDEX_PARTITIONS, PARTITIONS, TABLE } from '../../../contract/table.ts';
import { generateApiKey } from '../../core/api-keys/api-keys.ts';
import { type ApiKey, type ApiKeyInput, checkApiKeyInput } from '../../core/api-keys/rules.ts';
import { CuevaultError } from '../../core/errors.ts';
import { auditChange, type Change } from '../audit.ts';
import { type RowKind, readRow, SIGNATURE, signedItem } from '../signing/rows.ts';
import { type Item, type Key, queryItems, type Table, transact } from '../table.ts';

const keyOf = (keyId: string): Key => ({ pk: PARTITIONS.apiKey + keyId, sk: 'KEY' });

const isRevoked = ({ revokedAt }: Item): boolean => revokedAt !== undefined;

const toItem = (apiKey: ApiKey): Item => ({
  ...keyOf(apiKey.keyId),
  [TABLE.index.partitionKey]: INDEX_PARTITIONS.apiKeys,
  [TABLE.index.sortKey]: `${apiKey.createdAt}#${apiKey.keyId}`,
  ...apiKey,
});

const fromItem = (item: Item): ApiKey => ({
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
  keyOf: ({ keyId }) => keyOf(keyId),
  revisionOf: ({ revokedAt }) => (revokedAt === undefined ? 1 : 2),
  fieldsOf: ({ keyId, hash, name, permissions, tags, prompts, cidrs, createdAt, createdBy, expiresAt }) => [
    ...[keyId, hash, name, permissions, tags, prompts, cidrs],
    ...[createdAt, createdBy, expiresAt],
  ],
  toItem,
  fromItem,
  isUnsigned: isRevoked,
};

/** Finds a key's record by its id, strongly consistent. Errors: `integrity`, `unavailable`. */
export const findApiKey = (table: Table, keyId: string): Promise<ApiKey | undefined> =>
  readRow(table, API_KEY, keyOf(keyId));

/**
 * Creates a key and returns its record with the key itself, which is not stored and cannot be shown again.
 * Errors: `invalid_request`, `unavailable`.
 */
export const createApiKey = async (
  table: Table,
  change: Change,
  input: ApiKeyInput,
): Promise<{ apiKey: string; record: ApiKey }> => {
  checkApiKeyInput(input, change.at);
  const { apiKey, keyId, hash } = generateApiKey();
  const { name, permissions, tags = [], prompts = [], cidrs = [], expiresAt } = input;
  const record: ApiKey = {
    keyId,
    hash,
    name,
    permissions: [...new Set(permissions)],
    tags: [...new Set(tags)],
    prompts: [...new Set(prompts)],
    cidrs: [...new Set(cidrs)],
    createdAt: change.at.toISOString(),
    createdBy: change.actor,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  const Item = await signedItem(table, API_KEY, record);
  await transact(table, [
    { put: { Item, ConditionExpression: 'attribute_not_exists(pk)' } },
    auditChange(table, change, {
      action: 'api-key.create',
      subject: keyId,
      name,
      details: {
        ...{ permissions: record.permissions, tags: record.tags, prompts: record.prompts },
        ...{ cidrs: record.cidrs, expiresAt },
      },
    }),
  ]);
  return { apiKey, record };
};

/**
 * Revokes a key: the next request with it is refused. Revoking it again changes nothing.
 * Errors: `api_key_not_found`, `changed_meanwhile`, `unavailable`.
 */
export const revokeApiKey = async (table: Table, change: Change, keyId: string): Promise<ApiKey> => {
  const found = await findApiKey(table, keyId);
  if (found === undefined) {
    throw new CuevaultError('api_key_not_found', `There is no API key with the id "${keyId}".`);
  }
  if (found.revokedAt !== undefined) return found;
  const revoked = { revokedAt: change.at.toISOString(), revokedBy: change.actor };
  await transact(table, [
    {
      update: {
        Key: keyOf(keyId),
        UpdateExpression: 'SET revokedAt = :at, revokedBy = :by REMOVE #hash, #signature',
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(revokedAt)',
        ExpressionAttributeNames: { '#hash': 'hash', '#signature': SIGNATURE },
        ExpressionAttributeValues: { ':at': revoked.revokedAt, ':by': revoked.revokedBy },
      },
      onConditionFailed: () =>
        new CuevaultError(
          'changed_meanwhile',
          'Someone else has just revoked this key. There is nothing left to do.',
        ),
    },
    auditChange(table, change, { action: 'api-key.revoke', subject: keyId, name: found.name }),
  ]);
  return { ...found, hash: '', ...revoked };
};

const NEWEST_FIRST = {
  IndexName: TABLE.index.name,
  KeyConditionExpression: `${TABLE.index.partitionKey} = :pk`,
  ExpressionAttributeValues: { ':pk': INDEX_PARTITIONS.apiKeys },
  ScanIndexForward: false,
};

/**
 * All keys, newest first, including revoked and expired ones. They come from the index and are not verified: never use
 * them to admit a call. Errors: `unavailable`.
 */
export const allApiKeys = async (table: Table): Promise<ApiKey[]> =>
  (await Array.fromAsync(queryItems(table, NEWEST_FIRST))).map(fromItem);

/** The name of each key by its id. Errors: `unavailable`. */
export const apiKeyNames = async (table: Table): Promise<ReadonlyMap<string, string>> =>
  new Map((await allApiKeys(table)).map(({ keyId, name }) => [keyId, name]));
