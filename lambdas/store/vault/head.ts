import { PARTITIONS } from '../../../contract/table.ts';
import { CuevaultError, StaleError } from '../../core/errors.ts';
import { type PageRef, packRefs, unpackRefs } from '../../core/vault/pages.ts';
import { type Codec, number, type RowOf, readRow, signedKind, text } from '../signing/rows.ts';
import type { Key } from '../table.ts';
import { missingVault, noEnvironment } from './environments.ts';
import type { Vault } from './vault.ts';

/** The key of an environment's head. */
export const vaultHeadKey = ({ environment }: Pick<Vault, 'environment'>): Key => ({
  pk: PARTITIONS.vault + environment,
  sk: 'HEAD',
});

const pageRefs: Codec<readonly PageRef[]> = {
  read: (stored) => unpackRefs(String(stored)),
  write: packRefs,
  signed: packRefs,
};

/** How heads are stored and signed. */
export const VAULT_HEAD = signedKind({
  domain: 'vault-head',
  keyOf: vaultHeadKey,
  revisionOf: ({ revision }) => revision,
  withSignature: true,
  fields: {
    environment: text,
    revision: number,
    /** The vault key version that new boxes are encrypted to. */
    keyVersion: number,
    pages: pageRefs,
    count: number,
    /** Total size of the current values, in bytes. */
    bytes: number,
    /** The highest number of any value of any secret so far. */
    highest: number,
    /** New values get numbers above this one, because a restored earlier revision does not contain the latest numbers. */
    reservedUpTo: number,
    /** When this revision was created: ISO 8601 in UTC. */
    changedAt: text,
    changedBy: text,
  },
  optional: {
    /** When an administrator stopped serving secrets (ISO 8601), who, and why; absent while the vault serves secrets. */
    stoppedAt: text,
    stoppedBy: text,
    stoppedReason: text,
    /** When the environment was removed (ISO 8601 in UTC); absent while it exists. */
    removedAt: text,
  },
});

/** The root of the vault's tree: one revision of all its content. */
export interface VaultHead extends RowOf<typeof VAULT_HEAD> {
  /** Absent before the head is signed. */
  readonly signature?: Uint8Array;
}

/** A page or key pair that a head names is gone, because the head is outdated. */
export class StaleHeadError extends StaleError {
  constructor() {
    super('unavailable', 'The vault changed while it was being read. Try again.');
  }
}

/** The current head, strongly consistent, or undefined before the vault's first key. */
export const findVaultHead = (vault: Vault): Promise<VaultHead | undefined> =>
  readRow(vault, VAULT_HEAD, vaultHeadKey(vault));

/** The head that was found, if its environment exists. */
export const requireHead = async (vault: Vault, head: VaultHead | undefined): Promise<VaultHead> => {
  if (head === undefined) throw await missingVault(vault, vault.environment, vaultHeadKey(vault));
  if (head.removedAt === undefined || vault.mayBeRemoved === true) return head;
  throw new CuevaultError('environment_not_found', noEnvironment(vault.environment));
};

/** The current head, strongly consistent. */
export const readVaultHead = async (vault: Vault): Promise<VaultHead> =>
  requireHead(vault, await findVaultHead(vault));
