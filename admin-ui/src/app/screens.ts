import type { Role } from '../../../contract/fields/access.ts';
import {
  type Icon,
  IconActivityHeartbeat,
  IconBell,
  IconHistory,
  IconKey,
  IconLock,
  IconMessage2Code,
  IconShieldLock,
  IconUsers,
} from '../components/icons.tsx';

/** The screens of the navigation, in its order; `key` opens each after `g`. */
export const SCREENS = [
  { to: '/', title: 'Overview', key: 'o', icon: IconActivityHeartbeat },
  { to: '/prompts', title: 'Prompts', key: 'p', icon: IconMessage2Code },
  { to: '/secrets', title: 'Secrets', key: 's', icon: IconLock },
  { to: '/vault', title: 'Vault', key: 'v', icon: IconShieldLock },
  { to: '/api-keys', title: 'API keys', key: 'k', icon: IconKey },
  { to: '/operators', title: 'Operators', key: 'u', icon: IconUsers, needs: 'admin' },
  { to: '/notifications', title: 'Notifications', key: 'e', icon: IconBell, needs: 'admin' },
  { to: '/audit', title: 'Audit', key: 'a', icon: IconHistory },
] as const satisfies readonly { to: string; title: string; key: string; icon: Icon; needs?: Role }[];

/** The screens that an operator sees who can do what these roles can. */
export const screensFor = (can: (needed: Role) => boolean) =>
  SCREENS.filter((screen) => !('needs' in screen) || can(screen.needs));
