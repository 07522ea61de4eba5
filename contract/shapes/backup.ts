import * as z from 'zod/mini';
import type { secretShape } from './secrets.ts';

// The format of a backup: records as JSON Lines in pages. Each page is signed by the installation that made it.

/** Version of the format of a backup. A backup of another version is rejected. */
export const BACKUP_FORMAT = 1;

const text = z.string().check(z.minLength(1));
const count = z.int().check(z.gte(0));

/** The key pair that the values of an environment are encrypted to. */
export const recipientShape = z.object({
  stage: text,
  environment: text,
  /** Version of the vault's key pair. */
  keyVersion: count,
  /** The vault's public key: SubjectPublicKeyInfo in DER, as base64. */
  publicKey: text,
});
export type Recipient = z.infer<typeof recipientShape>;

/** What another installation needs to know to seal values for this one, and to verify its backups. */
export const installationShape = z.object({
  stage: text,
  vaults: z.array(recipientShape),
  /** Public keys that verify its backups: SubjectPublicKeyInfo in DER, as base64, separated by spaces. */
  signingKeys: text,
});
export type Installation = z.infer<typeof installationShape>;

export const SECTIONS = ['api-keys', 'prompts', 'deleted-prompts', 'vault'] as const;

/** Where a page begins. */
export const positionShape = z.object({
  section: z.enum(SECTIONS),
  /** Sort key in the index of the last API key or prompt that is complete. */
  after: z.optional(text),
  /** The last row of an incomplete prompt, at this `rev` of it. */
  row: z.optional(z.object({ promptId: text, rev: count, sk: text })),
  /** The next secret of this revision of an environment's vault. */
  secret: z.optional(z.object({ environment: text, revision: count, page: count, entry: count })),
});
export type Position = z.infer<typeof positionShape>;

/** The line after the records of a page. */
export const pageShape = z.object({
  type: z.literal('page'),
  format: z.literal(BACKUP_FORMAT),
  backupId: text,
  /** The stage of the installation that made it. */
  stage: text,
  /** ISO 8601 in UTC. */
  at: text,
  /** 1 for the first page. */
  number: count,
  /** Number of records. */
  records: count,
  /** Digest of the previous page; empty for the first. */
  previous: z.string(),
  /** SHA-256 (hex) of the digest of the previous page and the lines of this one. */
  digest: text,
  /** The key pairs that the values in this page are encrypted to. */
  encryptedTo: z.array(recipientShape),
  /** Where the next page begins; absent in the last page. */
  next: z.optional(positionShape),
  /** Signature of all of this, as base64. */
  signature: text,
});
export type BackupPage = z.infer<typeof pageShape>;

/** A page with its records: JSON Lines, compressed with gzip, as base64. */
export const pageWithLinesShape = z.object({ page: pageShape, lines: z.string() });
export type PageWithLines = z.infer<typeof pageWithLinesShape>;

/** The signed fields of a row, without its keys and its signature. */
export type SignedFields = Readonly<Record<string, unknown>>;

/** An unsigned row of a prompt. Of its key, only the sort key is here. */
export type BackupItem = Readonly<Record<string, unknown>> & { readonly sk: string };

interface EncryptedRecord {
  readonly number: number;
  readonly keyVersion: number;
  /** Base64. */
  readonly box: string;
  readonly bytes: number;
  readonly changedAt: string;
  readonly changedBy: string;
}

type Secret = z.infer<typeof secretShape>;

/** A secret with the values that it can be rolled back to, most recently replaced first. */
export interface SecretRecord extends EncryptedRecord, Readonly<Omit<Secret, 'tags'>> {
  readonly type: 'secret';
  readonly tags: readonly string[];
  readonly highest: number;
  readonly earlier: readonly (EncryptedRecord & { readonly replacedAt: string })[];
}

/** A key pair of the vault; KMS wraps the private key. */
export interface KeyPairRecord {
  readonly type: 'key-pair';
  readonly environment: string;
  readonly keyVersion: number;
  readonly publicKey: string;
  readonly wrappedPrivateKey: string;
  readonly createdAt: string;
  readonly supersededAt?: string | undefined;
}

export type BackupRecord =
  /** Of a prompt, the versions come first, and its head after all of its rows. */
  | {
      readonly type: 'protected-labels' | 'api-key' | 'version' | 'prompt';
      readonly row: SignedFields;
    }
  /** The draft, the example values, an event or the mark of a deleted version of a prompt. */
  | { readonly type: 'prompt-row'; readonly promptId: string; readonly item: BackupItem }
  | KeyPairRecord
  | SecretRecord
  /** A row that does not verify and is therefore missing. */
  | { readonly type: 'refused'; readonly pk: string; readonly sk: string };

/** What a restore did with a page: numbers of rows, and what it left as it was. */
export interface Restored {
  readonly written: number;
  readonly unchanged: number;
  /** What exists with other content, and what is of no known kind. What exists is kept. */
  readonly kept: readonly { readonly kind: string; readonly id: string; readonly name: string }[];
}

/**
 * What a restore does with API keys that do not exist: `keep` lets applications use them as when the backup was made,
 * including those revoked since then; `revoke` restores their records as revoked.
 */
export const apiKeyChoice = z.enum(['keep', 'revoke']);
export type ApiKeyChoice = z.infer<typeof apiKeyChoice>;
