import {
  IconActivityHeartbeat,
  IconHistory,
  IconKey,
  IconLock,
  IconMessage2Code,
  IconShieldLock,
  type TablerIcon,
} from '@tabler/icons-react';

/** The screens of the navigation, in its order; `key` opens each after `g`. */
export const SCREENS = [
  { to: '/', title: 'Overview', key: 'o', icon: IconActivityHeartbeat },
  { to: '/prompts', title: 'Prompts', key: 'p', icon: IconMessage2Code },
  { to: '/secrets', title: 'Secrets', key: 's', icon: IconLock },
  { to: '/vault', title: 'Vault', key: 'v', icon: IconShieldLock },
  { to: '/api-keys', title: 'API keys', key: 'k', icon: IconKey },
  { to: '/audit', title: 'Audit', key: 'a', icon: IconHistory },
] as const satisfies readonly { to: string; title: string; key: string; icon: TablerIcon }[];
