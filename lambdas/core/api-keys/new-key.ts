import type { InputOf } from '../../../contract/endpoint.ts';
import type { keysCreate } from '../../../contract/endpoints/api-keys/keys-create.ts';
import { assertValid } from '../errors.ts';
import { randomBase62 } from '../identifiers.ts';
import { checkNewName } from '../names.ts';
import { isCidr } from './addresses.ts';
import { checksum, hashApiKey } from './api-keys.ts';

/** What an API key is created with. */
export type ApiKeyInput = InputOf<typeof keysCreate.body>;

/** Checks what the contract does not: invisible characters, address ranges, whose labels they are, and the time. Errors: `invalid_request`. */
export const checkApiKeyInput = (
  {
    name,
    permissions,
    cidrs = [],
    labels = [],
    expiresAt,
  }: Pick<ApiKeyInput, 'name' | 'permissions' | 'cidrs' | 'labels' | 'expiresAt'>,
  now: Date,
): void => {
  checkNewName('name', name);
  const wrong = cidrs.find((cidr) => !isCidr(cidr));
  assertValid(
    wrong === undefined,
    `"${wrong}" is not an address range; write it as 203.0.113.0/24 or 2001:db8::/32.`,
  );
  assertValid(
    labels.length === 0 || permissions.includes('publish'),
    '"labels" is only for keys with the permission "publish".',
  );
  assertValid(
    expiresAt === undefined || Date.parse(expiresAt) > now.getTime(),
    '"expiresAt" must be a time in the future, such as "2030-01-31T00:00:00Z".',
  );
};

const PREFIX = 'cue_';
const KEY_ID_LENGTH = 8;
const SECRET_LENGTH = 32;

export interface NewApiKey {
  /** The key itself. Show it once and do not store it. */
  readonly apiKey: string;
  readonly keyId: string;
  /** The stored part. */
  readonly hash: string;
}

/**
 * Creates an API key: `cue_`, the key id (8 characters), `_`, 32 random characters of base 62, and the CRC-32 of all
 * of this in 6 characters of base 62.
 */
export const generateApiKey = (): NewApiKey => {
  const keyId = randomBase62(KEY_ID_LENGTH);
  const body = `${PREFIX}${keyId}_${randomBase62(SECRET_LENGTH)}`;
  const apiKey = body + checksum(body);
  return { apiKey, keyId, hash: hashApiKey(apiKey) };
};
