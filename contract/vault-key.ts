/** The part of the KMS encryption context that every call on the vault's key carries; policies insist on it. */
export const vaultKeyContext = (stage: string) => ({ service: 'cuevault', stage, purpose: 'vault' }) as const;
