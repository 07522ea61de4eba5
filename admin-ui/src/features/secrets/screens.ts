// The screens of this section, which load together.

export { DeletedSecretsScreen } from './list/deleted-secrets-screen.tsx';
export { SecretsScreen } from './list/secrets-screen.tsx';
export { SecretScreen } from './secret-screen.tsx';
export { VaultScreen } from './vault/vault-screen.tsx';
