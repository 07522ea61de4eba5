import type { VaultHead } from '../../store/vault/head.ts';

/** The state of the vault without its pages. */
export const vaultOf = (head: VaultHead) => {
  const { revision, changedAt, changedBy, count: secrets, bytes, keyVersion, pages } = head;
  const { stoppedAt: at, stoppedBy: by = '', stoppedReason: reason = '' } = head;
  return {
    revision,
    changedAt,
    changedBy,
    secrets,
    bytes,
    keyVersion,
    // No page contains a value that is encrypted to an earlier key pair.
    reencrypted: pages.every((page) => page.keyVersion >= keyVersion),
    stopped: at === undefined ? null : { at, by, reason },
  };
};
