import { isReencrypted, type VaultHead } from '../../store/vault/head.ts';

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
  reencrypted: isReencrypted({ keyVersion, pages }),
  stopped:
    head.stoppedAt === undefined
      ? null
      : { at: head.stoppedAt, by: head.stoppedBy ?? '', reason: head.stoppedReason ?? '' },
});
