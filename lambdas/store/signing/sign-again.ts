import { PARTITIONS } from '../../../contract/table.ts';
import { IntegrityError } from '../../core/errors.ts';
import { inParallel } from '../../core/parallel.ts';
import { API_KEY } from '../api-keys/api-key-row.ts';
import { RESTRICTIONS } from '../api-keys/restrictions.ts';
import { PROMPT_HEAD } from '../prompts/head.ts';
import { LABEL_PROTECTION } from '../prompts/protection.ts';
import { isTombstone, PROMPT_VERSION } from '../prompts/versions.ts';
import { LAST_SEAL, SEAL } from '../seal/seals.ts';
import { getItem, type Item, type Key, type Table, updateItem } from '../table.ts';
import { VAULT_HEAD, VAULT_REVISION } from '../vault/head.ts';
import { VAULT_KEY_PAIR } from '../vault-keys/key-pairs.ts';
import { type RowKind, SIGNATURE, signatureOf, verifiedRow } from './rows.ts';

/** Verifies a row and returns its signature by the current key, or undefined for a row that needs none. */
type Resign = (table: Table, key: Key, item: Item) => Promise<Uint8Array> | undefined;

const resigning =
  <Entity>(kind: RowKind<Entity>, isOther: (item: Item) => boolean = () => false): Resign =>
  (table, key, item) => {
    if (isOther(item)) return undefined;
    const entity = verifiedRow(table, kind, key, item);
    return kind.isUnsigned?.(item) === true ? undefined : signatureOf(table, kind, entity);
  };

/** Every kind of signed row: where its keys begin, and how it is signed again. */
const SIGNED_ROWS: readonly (readonly [pk: string, sk: string, Resign])[] = [
  [PARTITIONS.apiKey, 'KEY', resigning(API_KEY)],
  [PARTITIONS.restrictions, 'KEYS', resigning(RESTRICTIONS)],
  [PARTITIONS.prompt, 'HEAD', resigning(PROMPT_HEAD)],
  [PARTITIONS.prompt, 'VERSION#', resigning(PROMPT_VERSION, isTombstone)],
  [PARTITIONS.auditSeal, LAST_SEAL.sk, resigning(SEAL)],
  [PARTITIONS.labelProtection, 'LABELS', resigning(LABEL_PROTECTION)],
  [PARTITIONS.vault, 'HEAD', resigning(VAULT_HEAD)],
  [PARTITIONS.vault, 'REVISION#', resigning(VAULT_REVISION)],
  [PARTITIONS.vaultKey, 'VERSION#', resigning(VAULT_KEY_PAIR)],
];

const resignOf = (key: Key): Resign | undefined =>
  SIGNED_ROWS.find(
    ([pk, sk]) => (pk.endsWith('#') ? key.pk.startsWith(pk) : key.pk === pk) && key.sk.startsWith(sk),
  )?.[2];

/** Whether rows with such a key are signed. */
export const isSignedKind = (key: Key): boolean => resignOf(key) !== undefined;

/** A row that was not signed again, because it does not verify. */
export interface RefusedRow extends Key {
  readonly reason: string;
}

export interface SignAgainReport {
  /** Number of rows that the current key signed. */
  readonly signed: number;
  readonly refused: readonly RefusedRow[];
}

/**
 * Verifies rows and signs them with the current key. A row that does not verify is left as it is and reported; one that
 * is removed or changed meanwhile is left too, because a change signs it. Errors: `unavailable`.
 */
export const signAgain = async (table: Table, keys: readonly Key[]): Promise<SignAgainReport> => {
  const outcomes = await inParallel(keys, (key) => signRow(table, key));
  return {
    signed: outcomes.filter((outcome) => outcome === 'signed').length,
    refused: outcomes.filter((outcome) => typeof outcome === 'object'),
  };
};

const signRow = async (table: Table, { pk, sk }: Key): Promise<'signed' | 'left' | RefusedRow> => {
  const key = { pk, sk };
  const item = await getItem(table, key);
  if (item === undefined) return 'left';
  const resign = resignOf(key);
  if (resign === undefined) return { ...key, reason: 'Rows of this kind are not signed.' };
  try {
    const signature = await resign(table, key, item);
    return signature === undefined ? 'left' : await replaceSignature(table, key, item[SIGNATURE], signature);
  } catch (error) {
    if (error instanceof IntegrityError) return { ...key, reason: error.message };
    throw error;
  }
};

const replaceSignature = async (
  table: Table,
  key: Key,
  seen: unknown,
  signature: Uint8Array,
): Promise<'signed' | 'left'> => {
  const updated = await updateItem(table, {
    Key: key,
    UpdateExpression: 'SET #signature = :signature',
    ConditionExpression: '#signature = :seen',
    ExpressionAttributeNames: { '#signature': SIGNATURE },
    ExpressionAttributeValues: { ':signature': signature, ':seen': seen },
  });
  return updated === 'condition-failed' ? 'left' : 'signed';
};
