/** The part of the KMS encryption context that every call with the vault key includes; policies require it. */
export const vaultKeyContext = (stage: string) => ({ service: 'cuevault', stage, purpose: 'vault' }) as const;
