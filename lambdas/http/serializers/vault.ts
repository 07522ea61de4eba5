import type { VaultHead } from '../../store/vault/head.ts';

/** The state of the vault without its pages. */
export const vaultOf = ({
  revision,
  changedAt,
  changedBy,
  count,
  bytes,
  keyVersion,
  pages,
  ...head
}: VaultHead) => ({
  ...{ revision, changedAt, changedBy, secrets: count, bytes, keyVersion },
  // No page contains a value that is encrypted to an earlier key pair.
  reencrypted: pages.every((page) => page.keyVersion >= keyVersion),
  stopped:
    head.stoppedAt === undefined
      ? null
      : { at: head.stoppedAt, by: head.stoppedBy ?? '', reason: head.stoppedReason ?? '' },
});
