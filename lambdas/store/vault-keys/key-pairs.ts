import { PARTITIONS } from '../../../contract/table.ts';
import { vaultKeyContext } from '../../../contract/vault-key.ts';
import { ConflictError } from '../../core/errors.ts';
import { getItem, type Item, type Key, queryItems, type Table, type Write } from '../table.ts';

/** A key pair of the vault: new boxes are sealed to the public key, the private key is wrapped by KMS. */
export interface VaultKeyPair {
  readonly keyVersion: number;
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Uint8Array;
  /** Ciphertext of KMS around PKCS #8 in DER. */
  readonly wrappedPrivateKey: Uint8Array;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When a newer pair took over; absent for the current one. */
  readonly supersededAt?: string;
}

/** What KMS binds a wrapped private key to. */
export type KeyContext = Record<string, string>;

/** Opens what KMS has wrapped. */
export interface VaultUnwrap {
  readonly unwrap: (wrapped: Uint8Array, context: KeyContext) => Promise<Uint8Array>;
}

/** What the vault needs of KMS. */
export interface VaultKms extends VaultUnwrap {
  readonly generatePair: (
    context: KeyContext,
  ) => Promise<{ readonly publicKey: Uint8Array; readonly wrappedPrivateKey: Uint8Array }>;
}

/** The encryption context of one version of the vault's key pair. */
export const keyContext = (table: Table, keyVersion: number): KeyContext => ({
  ...vaultKeyContext(table.settings.stage),
  keyVersion: String(keyVersion),
});

const VERSION = 'VERSION#';

const keyOf = (keyVersion: number): Key => ({
  pk: PARTITIONS.vaultKey,
  sk: VERSION + String(keyVersion).padStart(6, '0'),
});

const fromItem = (item: Item): VaultKeyPair => ({
  keyVersion: item.keyVersion as number,
  publicKey: item.publicKey as Uint8Array,
  wrappedPrivateKey: item.wrappedPrivateKey as Uint8Array,
  createdAt: item.createdAt as string,
  ...(item.supersededAt === undefined ? {} : { supersededAt: item.supersededAt as string }),
});

/** One key pair, or undefined where it has been retired. Errors: `unavailable`. */
export const findKeyPair = async (table: Table, keyVersion: number): Promise<VaultKeyPair | undefined> => {
  const item = await getItem(table, keyOf(keyVersion));
  return item === undefined ? undefined : fromItem(item);
};

/** All key pairs, oldest first. Errors: `unavailable`. */
export const listKeyPairs = async (table: Table): Promise<VaultKeyPair[]> => {
  const query = {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :start)',
    ExpressionAttributeValues: { ':pk': PARTITIONS.vaultKey, ':start': VERSION },
  };
  return (await Array.fromAsync(queryItems(table, query))).map(fromItem);
};

const onConditionFailed = () => new ConflictError('vault');

/** Writes a new pair, in a transaction that fails where the version exists. */
export const addKeyPair = (pair: VaultKeyPair): Write => ({
  put: { Item: { ...keyOf(pair.keyVersion), ...pair }, ConditionExpression: 'attribute_not_exists(pk)' },
  onConditionFailed,
});

/** Notes in a transaction that a newer pair takes over. */
export const supersedeKeyPair = (pair: VaultKeyPair, at: Date): Write => ({
  put: {
    Item: { ...keyOf(pair.keyVersion), ...pair, supersededAt: at.toISOString() },
    ConditionExpression: 'attribute_exists(pk)',
  },
  onConditionFailed,
});

/** Removes a pair in a transaction. Nothing that was sealed to it can ever be opened again. */
export const removeKeyPair = (keyVersion: number): Write => ({ remove: { Key: keyOf(keyVersion) } });
