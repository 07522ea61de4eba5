import { PARTITIONS } from '../../../contract/table.ts';
import { vaultKeyContext } from '../../../contract/vault-key.ts';
import { ConflictError } from '../../core/errors.ts';
import { type RowKind, signedItem, verifiedRow } from '../signing/rows.ts';
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

/** The key of a pair's row. */
export const keyPairKey = (keyVersion: number): Key => ({
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

/** How key pairs are signed: nobody plants a pair of their own. */
export const VAULT_KEY_PAIR: RowKind<VaultKeyPair> = {
  domain: 'vault-key-pair',
  keyOf: ({ keyVersion }) => keyPairKey(keyVersion),
  revisionOf: ({ supersededAt }) => (supersededAt === undefined ? 1 : 2),
  fieldsOf: ({ keyVersion, publicKey, wrappedPrivateKey, createdAt, supersededAt }) => [
    ...[keyVersion, publicKey, wrappedPrivateKey, createdAt, supersededAt],
  ],
  toItem: (pair) => ({ ...keyPairKey(pair.keyVersion), ...pair }),
  fromItem,
};

/** One key pair, or undefined where it has been retired. Errors: `integrity`, `unavailable`. */
export const findKeyPair = async (table: Table, keyVersion: number): Promise<VaultKeyPair | undefined> => {
  const key = keyPairKey(keyVersion);
  const item = await getItem(table, key);
  return item === undefined ? undefined : verifiedRow(table, VAULT_KEY_PAIR, key, item);
};

/** Whether the key pair of a box is still there. Errors: `integrity`, `unavailable`. */
export const canBeOpened = async (
  table: Table,
  { keyVersion }: { readonly keyVersion: number },
): Promise<boolean> => (await findKeyPair(table, keyVersion)) !== undefined;

/** All key pairs, oldest first. Errors: `integrity`, `unavailable`. */
export const listKeyPairs = async (table: Table): Promise<VaultKeyPair[]> => {
  const query = {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :start)',
    ExpressionAttributeValues: { ':pk': PARTITIONS.vaultKey, ':start': VERSION },
  };
  const items = await Array.fromAsync(queryItems(table, query));
  return items.map((item) =>
    verifiedRow(table, VAULT_KEY_PAIR, { pk: String(item.pk), sk: String(item.sk) }, item),
  );
};

const onConditionFailed = () => new ConflictError('vault');

/** Signs a new pair and writes it, in a transaction that fails where the version exists. */
export const addKeyPair = async (table: Table, pair: VaultKeyPair): Promise<Write> => ({
  put: {
    Item: await signedItem(table, VAULT_KEY_PAIR, pair),
    ConditionExpression: 'attribute_not_exists(pk)',
  },
  onConditionFailed,
});

/** Notes in a transaction that a newer pair takes over. */
export const supersedeKeyPair = async (table: Table, pair: VaultKeyPair, at: Date): Promise<Write> => ({
  put: {
    Item: await signedItem(table, VAULT_KEY_PAIR, { ...pair, supersededAt: at.toISOString() }),
    ConditionExpression: 'attribute_exists(pk)',
  },
  onConditionFailed,
});

/** Removes a pair in a transaction. Nothing that was sealed to it can ever be opened again. */
export const removeKeyPair = (keyVersion: number): Write => ({ remove: { Key: keyPairKey(keyVersion) } });
