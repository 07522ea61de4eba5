import {
  IconActivityHeartbeat,
  IconHistory,
  IconKey,
  IconLock,
  IconMessage2Code,
  type TablerIcon,
} from '@tabler/icons-react';

/** The screens of the navigation, in its order. */
export const SCREENS = [
  { to: '/', title: 'Overview', icon: IconActivityHeartbeat },
  { to: '/prompts', title: 'Prompts', icon: IconMessage2Code },
  { to: '/secrets', title: 'Secrets', icon: IconLock },
  { to: '/api-keys', title: 'API keys', icon: IconKey },
  { to: '/audit', title: 'Audit', icon: IconHistory },
] as const satisfies readonly { to: string; title: string; icon: TablerIcon }[];
