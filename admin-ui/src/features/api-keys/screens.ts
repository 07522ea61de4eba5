// The screens of this section, which load together.
export { ApiKeyScreen } from './api-key-screen.tsx';
export { ApiKeysScreen } from './api-keys-screen.tsx';
