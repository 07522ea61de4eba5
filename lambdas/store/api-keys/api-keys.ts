import { isDeepStrictEqual } from 'node:util';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { keysUpdate } from '../../../contract/endpoints/api-keys.ts';
import { signingKeys } from '../../core/api-keys/jwks.ts';
import {
  type ApiKeyInput,
  checkApiKey,
  checkNarrower,
  LIMIT_NAMES,
  limitsOf,
} from '../../core/api-keys/limits.ts';
import { proofOf } from '../../core/api-keys/match.ts';
import { generateApiKey, keyIdOf, newKeyId } from '../../core/api-keys/new-key.ts';
import { isRestricted, restrictionOf } from '../../core/api-keys/restrictions.ts';
import type { ApiKey } from '../../core/api-keys/rules.ts';
import { assertValid, CuevaultError } from '../../core/errors.ts';
import { type AuditChange, type Change, commitChange, stamp } from '../audit.ts';
import { inIndex, queryItems } from '../queries.ts';
import { SIGNATURE } from '../signing/rows.ts';
import { signedItem } from '../signing/writes.ts';
import type { Table } from '../table.ts';
import { ConflictError, onlyIf, retryOnConflict, type Write } from '../transactions.ts';
import { API_KEY, apiKeyKey, findApiKey, listedKey } from './api-key-row.ts';
import { putRestriction } from './restrictions.ts';

const proofIn = (input: ApiKeyInput, keyId: string, localIssuer?: string) => {
  const proof = proofOf(input, localIssuer);
  if (proof === undefined) return generateApiKey(keyId);
  const { jwks, ...named } = proof;
  const given = jwks === undefined ? {} : { jwks: signingKeys(jwks) };
  return { apiKey: '', keyId, hash: '', ...named, ...given };
};

/** What a request asks of a key, which is not revoked. */
const ASKED = ['name', ...LIMIT_NAMES, 'issuer', 'match', 'jwks', 'replaces', 'revokedAt'] as const;

/** A restricted key joins the row of restrictions, which others may change meanwhile. */
const commitWithRestriction = (
  table: Table,
  change: Change,
  record: ApiKey,
  entry: AuditChange,
  put: Write,
) =>
  retryOnConflict(async () =>
    commitChange(table, change, entry, [
      put,
      ...(isRestricted(record) ? [await putRestriction(table, restrictionOf(record), change.at)] : []),
    ]),
  );

/**
 * Creates a key and returns its record with the key itself, which is not stored and cannot be shown again; for a trust,
 * it is empty. `localIssuer` is the one that may be without https. A key that is limited to tags joins the row of
 * restrictions in the same transaction. If the operator has created a key with this `requestId` before, it returns that
 * one, without the key itself, provided that it still is what this request asks for.
 */
export const createApiKey = async (
  table: Table,
  change: Change,
  input: ApiKeyInput,
  localIssuer?: string,
): Promise<{ apiKey: string; record: ApiKey; isRepeated: boolean }> => {
  const { name, replaces, requestId } = input;
  const limits = limitsOf(input);
  checkApiKey(name, limits, change.at);
  const keyId = requestId === undefined ? newKeyId() : keyIdOf(change.operator?.operatorId ?? '', requestId);
  const { apiKey, ...proof } = proofIn(input, keyId, localIssuer);
  if (replaces !== undefined) await requireUsable(table, replaces);
  const record: ApiKey = {
    ...proof,
    name,
    ...limits,
    ...stamp(change, 'created'),
    replaces,
    rev: 1,
  };
  const Item = await signedItem(table, API_KEY, record);
  const details = { ...limits, issuer: record.issuer, match: record.match, replaces };
  const entry = { action: 'api-key.create', subject: record.keyId, name, details };
  const repeated = new CuevaultError('changed_meanwhile', 'This request has already created a key.');
  const put = { Item, ...onlyIf() };
  try {
    await commitWithRestriction(table, change, record, entry, {
      put,
      ...(requestId !== undefined && { onConditionFailed: () => repeated }),
    });
  } catch (error) {
    if (error !== repeated) throw error;
    const earlier = await requireApiKey(table, keyId);
    assertValid(
      ASKED.every((field) => isDeepStrictEqual(earlier[field], record[field])),
      `This request has already created the key "${earlier.name}" (${keyId}), which is revoked or differs from what you ask for now. Look at it, and revoke it if it should not be. For another key, start again with a new "requestId".`,
    );
    return { apiKey: '', record: earlier, isRepeated: true };
  }
  return { apiKey, record, isRepeated: false };
};

/** A key's record, strongly consistent. */
export const requireApiKey = async (table: Table, keyId: string): Promise<ApiKey> => {
  const found = await findApiKey(table, keyId);
  if (found !== undefined) return found;
  throw new CuevaultError('api_key_not_found', `There is no API key with the id "${keyId}".`);
};

const requireUsable = async (table: Table, keyId: string) => {
  const found = await requireApiKey(table, keyId);
  assertValid(found.revokedAt === undefined, `The API key "${found.name}" is revoked. Create another key.`);
  return found;
};

/**
 * Renames a key or narrows its limits: the next request with it is held to them. The row of restrictions follows in the
 * same transaction.
 */
export const narrowApiKey = async (
  table: Table,
  change: Change,
  keyId: string,
  changes: InputOf<typeof keysUpdate.body>,
): Promise<ApiKey> => {
  const found = await requireUsable(table, keyId);
  const { name = found.name, ...wanted } = changes;
  const limits = limitsOf({ ...found, ...wanted });
  const record: ApiKey = { ...found, ...limits, name, rev: found.rev + 1 };
  const fields = (['name', ...LIMIT_NAMES] as const).filter(
    (field) => !isDeepStrictEqual(found[field], record[field]),
  );
  if (fields.length === 0) return found;
  checkApiKey(name, limits, change.at);
  checkNarrower(found, limits);
  const ofChanged = (apiKey: ApiKey) => Object.fromEntries(fields.map((field) => [field, apiKey[field]]));
  const Item = await signedItem(table, API_KEY, record);
  const details = { from: ofChanged(found), to: ofChanged(record) };
  const entry = { action: 'api-key.update', subject: keyId, name, details };
  await commitWithRestriction(table, change, record, entry, {
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
  });
  return record;
};

/** Revokes a key: the next request with it is refused. Revoking it again changes nothing. */
export const revokeApiKey = (table: Table, change: Change, keyId: string): Promise<ApiKey> =>
  retryOnConflict(async () => {
    const found = await requireApiKey(table, keyId);
    if (found.revokedAt !== undefined) return found;
    const revoked = stamp(change, 'revoked');
    const entry = { action: 'api-key.revoke', subject: keyId, name: found.name };
    await commitChange(table, change, entry, [
      {
        update: {
          Key: apiKeyKey(keyId),
          UpdateExpression: 'SET revokedAt = :at, revokedBy = :by, listed = :listed REMOVE #hash, #signature',
          // What lists show is written from what was read.
          ConditionExpression: 'rev = :rev AND attribute_not_exists(revokedAt)',
          ExpressionAttributeNames: { '#hash': 'hash', '#signature': SIGNATURE },
          ExpressionAttributeValues: {
            ':rev': found.rev,
            ':at': revoked.revokedAt,
            ':by': revoked.revokedBy,
            ':listed': listedKey({ ...found, ...revoked }),
          },
        },
        onConditionFailed: () => new ConflictError('list of API keys'),
      },
    ]);
    return { ...found, hash: '', ...revoked };
  });

/**
 * All keys, newest first, including revoked and expired ones, with `jwks` empty where a trust has some. They come from
 * the index and are not verified: never use them to admit a call.
 */
export const allApiKeys = async (table: Table): Promise<ApiKey[]> =>
  (await Array.fromAsync(queryItems(table, { ...inIndex('apiKeys'), ScanIndexForward: false }))).map(
    ({ listed }) => JSON.parse(String(listed)) as ApiKey,
  );

/** The name of each key by its id. */
export const apiKeyNames = async (table: Table): Promise<ReadonlyMap<string, string>> =>
  new Map((await allApiKeys(table)).map(({ keyId, name }) => [keyId, name]));
