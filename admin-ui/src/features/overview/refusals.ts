/** Whether a key that is refused for this reason no longer works, so that whatever sends it fails. */
export const isDead = ({ reason }: { readonly reason: string }): boolean =>
  reason === 'expired' || reason === 'revoked';

/**
 * The refused calls for each reason, with the known keys that made them: first keys that no longer work but are still
 * sent, then most calls. `calls` is 0 if their number is unknown.
 */
export const refusalsByReason = <Key extends { readonly reason: string }>(
  keys: readonly Key[],
  counts: readonly { readonly reason: string; readonly calls: number }[] = [],
) =>
  [...new Set([...counts, ...keys].map(({ reason }) => reason))]
    .map((reason) => ({
      reason,
      calls: counts.find((count) => count.reason === reason)?.calls ?? 0,
      keys: keys.filter((key) => key.reason === reason),
    }))
    .sort((a, b) => Number(isDead(b)) - Number(isDead(a)) || b.calls - a.calls);
