import type { BackupRecord, KeyPairRecord, Position, SecretRecord } from '../../../contract/backup.ts';
import { inBatches } from '../../core/batches.ts';
import { CuevaultError } from '../../core/errors.ts';
import type { EarlierValue, EncryptedValue, SecretEntry } from '../../core/vault/secrets.ts';
import type { Table } from '../table.ts';
import { readHead, type VaultHead } from '../vault/head.ts';
import { earlierHead } from '../vault/history.ts';
import { readPage } from '../vault/pages.ts';
import { earlierValues } from '../vault/values.ts';
import { type Vault, vaultIn } from '../vault/vault.ts';
import { listKeyPairs } from '../vault-keys/all-key-pairs.ts';
import type { VaultKeyPair } from '../vault-keys/key-pairs.ts';
import type { Step } from './records.ts';

/** Seals a value of a secret for the backup. Errors: those of opening it. */
export type Reencrypt = (
  secret: Pick<SecretEntry, 'secretId' | 'key'>,
  value: EncryptedValue,
) => Promise<Pick<EncryptedValue, 'box' | 'keyVersion'>>;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const keyPairRecord = ({
  environment: _,
  publicKey,
  wrappedPrivateKey,
  ...pair
}: VaultKeyPair): KeyPairRecord => ({
  type: 'key-pair',
  ...pair,
  publicKey: base64(publicKey),
  wrappedPrivateKey: base64(wrappedPrivateKey),
});

const encryptedRecord = async (
  entry: SecretEntry,
  value: EncryptedValue,
  reencrypt: Reencrypt | undefined,
) => {
  const { number, bytes, changedAt, changedBy } = value;
  const { keyVersion, box } = reencrypt === undefined ? value : await reencrypt(entry, value);
  return { number, keyVersion, box: base64(box), bytes, changedAt, changedBy };
};

const secretRecord = async (
  entry: SecretEntry,
  earlier: readonly EarlierValue[],
  reencrypt: Reencrypt | undefined,
): Promise<SecretRecord> => {
  const { key, secretId, tags, highest, createdAt, createdBy, note, rotateBy, switchedOff } = entry;
  const notes = { ...(note && { note }), ...(rotateBy && { rotateBy }), ...(switchedOff && { switchedOff }) };
  const kept = await Promise.all(
    earlier.map(async (value) => ({
      ...(await encryptedRecord(entry, value, reencrypt)),
      replacedAt: value.replacedAt,
    })),
  );
  const current = await encryptedRecord(entry, entry, reencrypt);
  return {
    type: 'secret',
    key,
    secretId,
    tags,
    ...current,
    highest,
    createdAt,
    createdBy,
    ...notes,
    earlier: kept,
  };
};

/** The revision that the backup continues with, even if the vault has changed since. */
const headOf = async (vault: Vault, revision: number | undefined): Promise<VaultHead> => {
  const head = await readHead(vault);
  if (revision === undefined || revision === head.revision) return head;
  const earlier = await earlierHead(vault, revision);
  if (earlier !== undefined) return earlier;
  throw new CuevaultError(
    'value_not_found',
    `Revision ${revision} of the vault is gone: the backup was interrupted for too long. Start a new one.`,
  );
};

interface Place {
  readonly entry: SecretEntry;
  readonly after: Position;
}

async function* placesFrom(vault: Vault, head: VaultHead, start: Position['secret']): AsyncGenerator<Place> {
  const { page: first = 0, entry: skipped = 0 } = start ?? {};
  for (const [page, ref] of head.pages.entries()) {
    if (page < first) continue;
    const { entries } = await readPage(vault, ref);
    for (const [index, entry] of entries.entries()) {
      if (page === first && index < skipped) continue;
      const { revision } = head;
      yield { entry, after: { section: 'vault', secret: { revision, page, entry: index + 1 } } };
    }
  }
}

/**
 * The secrets of one revision of the vault with their earlier values, after its key pairs, which a re-encrypted backup
 * omits. Errors: `integrity`, `unavailable`, `value_not_found`.
 */
export const secretSteps = (reencrypt?: Reencrypt) =>
  async function* (table: Table, { secret: start }: Position): AsyncGenerator<Step> {
    const vault = vaultIn(table);
    const head = await headOf(vault, start?.revision);
    const first: Position = { section: 'vault', secret: { revision: head.revision, page: 0, entry: 0 } };
    if (start === undefined && reencrypt === undefined) {
      const pairs: BackupRecord[] = (await listKeyPairs(vault)).map(keyPairRecord);
      for (const record of pairs) yield { record, after: first };
    }
    const steps = inBatches(
      placesFrom(vault, head, start),
      async ({ entry, after }): Promise<Step> => ({
        record: await secretRecord(entry, await earlierValues(vault, entry), reencrypt),
        after,
      }),
    );
    yield* steps;
  };
