import { coversEnvironment } from './patterns.ts';

/** Whether a key with these limits reads a secret with these tags in an environment. */
export const readsSecret = (
  key: {
    readonly permissions: readonly string[];
    readonly environments?: readonly string[] | undefined;
    readonly tags?: readonly string[] | undefined;
  },
  secret: { readonly environment: string; readonly tags: readonly string[] },
): boolean =>
  key.permissions.includes('secrets') &&
  coversEnvironment(key.environments, secret.environment) &&
  (key.tags ?? []).every((tag) => secret.tags.includes(tag));
