// The screens of this section, which load together.

export { DeletedSecretsScreen, SecretScreen } from './secret-screen.tsx';
export { SecretsScreen } from './secrets-screen.tsx';
export { VaultScreen } from './vault-screen.tsx';
