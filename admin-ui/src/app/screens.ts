import type { Role } from '../../../contract/fields/access.ts';
import type { IconName } from '../components/icons.tsx';

/** The screens of the navigation, in its order; `key` opens each after `g`. */
export const SCREENS = [
  { to: '/', title: 'Overview', key: 'o', icon: 'activity-heartbeat' },
  { to: '/prompts', title: 'Prompts', key: 'p', icon: 'message-2-code' },
  { to: '/secrets', title: 'Secrets', key: 's', icon: 'lock' },
  { to: '/vault', title: 'Vault', key: 'v', icon: 'shield-lock' },
  { to: '/api-keys', title: 'API keys', key: 'k', icon: 'key' },
  { to: '/operators', title: 'Operators', key: 'u', icon: 'users', needs: 'admin' },
  { to: '/notifications', title: 'Notifications', key: 'e', icon: 'bell', needs: 'admin' },
  { to: '/audit', title: 'Audit', key: 'a', icon: 'history' },
] as const satisfies readonly { to: string; title: string; key: string; icon: IconName; needs?: Role }[];

/** The screens that an operator sees who can do what these roles can. */
export const screensFor = (can: (needed: Role) => boolean) =>
  SCREENS.filter((screen) => !('needs' in screen) || can(screen.needs));
