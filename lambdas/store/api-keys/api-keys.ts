import type { InputOf } from '../../../contract/endpoint.ts';
import type { keysUpdate } from '../../../contract/endpoints/api-keys/keys-update.ts';
import { checkNarrower } from '../../core/api-keys/narrowing.ts';
import { type ApiKeyInput, checkApiKeyInput, generateApiKey } from '../../core/api-keys/new-key.ts';
import { isRestricted, restrictionOf } from '../../core/api-keys/restrictions.ts';
import type { ApiKey } from '../../core/api-keys/rules.ts';
import { assertValid, CuevaultError } from '../../core/errors.ts';
import { auditChange, type Change } from '../audit.ts';
import { inIndex, queryItems } from '../queries.ts';
import { retryOnConflict } from '../retry.ts';
import { SIGNATURE } from '../signing/rows.ts';
import { signedItem } from '../signing/writes.ts';
import type { Table } from '../table.ts';
import { onlyIf, transact } from '../transactions.ts';
import { API_KEY, apiKeyKey, apiKeyOf, findApiKey } from './api-key-row.ts';
import { putRestriction } from './restrictions.ts';

/**
 * Creates a key and returns its record with the key itself, which is not stored and cannot be shown again. A key that
 * is limited to tags joins the row of restrictions in the same transaction. Errors: `invalid_request`,
 * `api_key_not_found` (the key that it replaces), `too_many_restricted_keys`, `changed_meanwhile`, `integrity`,
 * `unavailable`.
 */
export const createApiKey = async (
  table: Table,
  change: Change,
  input: ApiKeyInput,
): Promise<{ apiKey: string; record: ApiKey }> => {
  checkApiKeyInput(input, change.at);
  const { apiKey, keyId, hash } = generateApiKey();
  const { name, permissions, tags = [], prompts = [], cidrs = [], labels = [], expiresAt, replaces } = input;
  if (replaces !== undefined) await requireUsable(table, replaces);
  const record: ApiKey = {
    keyId,
    hash,
    name,
    permissions: [...new Set(permissions)],
    tags: [...new Set(tags)],
    prompts: [...new Set(prompts)],
    cidrs: [...new Set(cidrs)],
    labels: labels.length === 0 ? undefined : [...new Set(labels)],
    createdAt: change.at.toISOString(),
    createdBy: change.actor,
    expiresAt,
    replaces,
    rev: 1,
  };
  const Item = await signedItem(table, API_KEY, record);
  await retryOnConflict(async () =>
    transact(table, [
      { put: { Item, ...onlyIf() } },
      ...(isRestricted(record) ? [await putRestriction(table, restrictionOf(record), change.at)] : []),
      auditChange(table, change, {
        action: 'api-key.create',
        subject: keyId,
        name,
        details: {
          ...{ permissions: record.permissions, tags: record.tags, prompts: record.prompts },
          ...{ cidrs: record.cidrs, labels: record.labels, expiresAt, replaces },
        },
      }),
    ]),
  );
  return { apiKey, record };
};

const requireApiKey = async (table: Table, keyId: string): Promise<ApiKey> => {
  const found = await findApiKey(table, keyId);
  if (found !== undefined) return found;
  throw new CuevaultError('api_key_not_found', `There is no API key with the id "${keyId}".`);
};

const requireUsable = async (table: Table, keyId: string): Promise<ApiKey> => {
  const found = await requireApiKey(table, keyId);
  assertValid(found.revokedAt === undefined, `The API key "${found.name}" is revoked. Create another key.`);
  return found;
};

/**
 * Renames a key or narrows its limits: the next request with it is held to them. The row of restrictions follows in the
 * same transaction. Errors: `invalid_request` (a wider limit; a revoked key), `api_key_not_found`,
 * `too_many_restricted_keys`, `changed_meanwhile`, `integrity`, `unavailable`.
 */
export const narrowApiKey = async (
  table: Table,
  change: Change,
  keyId: string,
  changes: InputOf<typeof keysUpdate.body>,
): Promise<ApiKey> => {
  const found = await requireUsable(table, keyId);
  const { name = found.name, tags = found.tags, prompts = found.prompts } = changes;
  const { labels = found.labels, expiresAt = found.expiresAt } = changes;
  const limits = { tags: [...new Set(tags)], prompts: [...new Set(prompts)], labels, expiresAt };
  const next = { ...found, name, ...limits };
  const fields = (['name', 'tags', 'prompts', 'labels', 'expiresAt'] as const).filter(
    (field) => JSON.stringify(found[field]) !== JSON.stringify(next[field]),
  );
  if (fields.length === 0) return found;
  checkApiKeyInput(next, change.at);
  checkNarrower(found, next);
  const record = { ...next, rev: found.rev + 1 };
  const ofChanged = (apiKey: ApiKey) => Object.fromEntries(fields.map((field) => [field, apiKey[field]]));
  const Item = await signedItem(table, API_KEY, record);
  await retryOnConflict(async () =>
    transact(table, [
      {
        put: {
          Item,
          ConditionExpression: 'rev = :rev AND attribute_not_exists(revokedAt)',
          ExpressionAttributeValues: { ':rev': found.rev },
        },
        onConditionFailed: () =>
          new CuevaultError(
            'changed_meanwhile',
            'Someone else has just changed or revoked this key. Reload the list and repeat your change.',
          ),
      },
      ...(isRestricted(record) ? [await putRestriction(table, restrictionOf(record), change.at)] : []),
      auditChange(table, change, {
        action: 'api-key.update',
        subject: keyId,
        name: record.name,
        details: { from: ofChanged(found), to: ofChanged(record) },
      }),
    ]),
  );
  return record;
};

/**
 * Revokes a key: the next request with it is refused. Revoking it again changes nothing.
 * Errors: `api_key_not_found`, `changed_meanwhile`, `unavailable`.
 */
export const revokeApiKey = async (table: Table, change: Change, keyId: string): Promise<ApiKey> => {
  const found = await requireApiKey(table, keyId);
  if (found.revokedAt !== undefined) return found;
  const revoked = { revokedAt: change.at.toISOString(), revokedBy: change.actor };
  await transact(table, [
    {
      update: {
        Key: apiKeyKey(keyId),
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

/**
 * All keys, newest first, including revoked and expired ones. They come from the index and are not verified: never use
 * them to admit a call. Errors: `unavailable`.
 */
export const allApiKeys = async (table: Table): Promise<ApiKey[]> =>
  (await Array.fromAsync(queryItems(table, { ...inIndex('apiKeys'), ScanIndexForward: false }))).map(
    apiKeyOf,
  );

/** The name of each key by its id. Errors: `unavailable`. */
export const apiKeyNames = async (table: Table): Promise<ReadonlyMap<string, string>> =>
  new Map((await allApiKeys(table)).map(({ keyId, name }) => [keyId, name]));
