import type { Permission } from '../../../contract/fields/access.ts';
import type { FurtherLimit, KeyLimits } from '../../../contract/fields/key-limits.ts';
import type { Match, SigningJwk } from '../../../contract/issuers.ts';
import { INDEX_PARTITIONS, PARTITIONS, TABLE } from '../../../contract/table.ts';
import type { ApiKey } from '../../core/api-keys/rules.ts';
import {
  type Codec,
  json,
  list,
  number,
  readRow,
  type SignedKind,
  signedKind,
  text,
} from '../signing/rows.ts';
import type { Item, Key, Table } from '../table.ts';

/** The key of an API key's record. */
export const apiKeyKey = (keyId: string): Key => ({ pk: PARTITIONS.apiKey + keyId, sk: 'KEY' });

const isRevoked = ({ revokedAt }: Item) => revokedAt !== undefined;

// One codec for each limit: without it, the type is wrong.
type Codecs<Names extends keyof KeyLimits> = {
  readonly [Name in Names]-?: Codec<NonNullable<KeyLimits[Name]>>;
};

const FURTHER: Codecs<FurtherLimit> = {
  labels: list(),
  mostPrompts: number,
  environments: list(),
  expiresAt: text,
};

/** What lists need of a key: all but its hash and the public keys of a trust. */
export const listedKey = (apiKey: ApiKey): string =>
  JSON.stringify({ ...apiKey, hash: '', ...(apiKey.jwks && { jwks: [] }) });

const KIND = signedKind({
  domain: 'api-key',
  keyOf: ({ keyId }) => apiKeyKey(keyId),
  // A revoked key never changes again.
  revisionOf: ({ rev, revokedAt }) => (revokedAt === undefined ? rev : Number.MAX_SAFE_INTEGER),
  isUnsigned: isRevoked,
  fields: {
    keyId: text,
    hash: text,
    name: text,
    permissions: list<Permission>(),
    tags: list(),
    prompts: list(),
    cidrs: list(),
    createdAt: text,
    createdBy: text,
    rev: number,
  },
  optional: {
    ...FURTHER,
    issuer: text,
    match: json<Match>(),
    jwks: json<readonly SigningJwk[]>(),
    replaces: text,
    revokedAt: text,
    revokedBy: text,
  },
  derived: (apiKey) => ({
    [TABLE.index.partitionKey]: INDEX_PARTITIONS.apiKeys,
    [TABLE.index.sortKey]: `${apiKey.createdAt}#${apiKey.keyId}`,
    listed: listedKey(apiKey),
  }),
});

/** Reads a record, unverified. */
const apiKeyOf = (item: Item): ApiKey => ({
  ...KIND.fromItem(item),
  ...(isRevoked(item) ? { hash: '' } : {}),
});

/**
 * The record of a key. A revoked one has neither hash nor signature: it admits nobody regardless of its other fields,
 * so revoking needs no permission to sign.
 */
export const API_KEY: SignedKind<ApiKey> = { ...KIND, fromItem: apiKeyOf };

/** Finds a key's record by its id, strongly consistent. */
export const findApiKey = (table: Table, keyId: string): Promise<ApiKey | undefined> =>
  readRow(table, API_KEY, apiKeyKey(keyId));
