import { icons } from '@iconify-json/tabler';
import type { ReactNode, SVGProps } from 'react';

export type Icon = (props: Omit<SVGProps<SVGSVGElement>, 'ref'> & { readonly size?: number }) => ReactNode;

/** An icon of Tabler (tabler.io/icons) by its name. The build keeps those that are named here. */
const iconOf = (name: string): Icon => {
  const lines = [...(icons.icons[name]?.body.matchAll(/ d="([^"]+)"/g) ?? [])].map(([, line]) => line);
  return ({ size = 24, ...props }) => (
    <svg
      aria-hidden
      {...{ width: size, height: size, viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor' }}
      {...{ strokeWidth: 2, strokeLinecap: 'round', strokeLinejoin: 'round' }}
      {...props}
    >
      {lines.map((line) => (
        <path key={line} d={line} />
      ))}
    </svg>
  );
};

export const IconActivityHeartbeat = iconOf('activity-heartbeat');
export const IconAlertTriangle = iconOf('alert-triangle');
export const IconArrowBackUp = iconOf('arrow-back-up');
export const IconArrowDown = iconOf('arrow-down');
export const IconArrowUp = iconOf('arrow-up');
export const IconArrowsDiff = iconOf('arrows-diff');
export const IconArrowsLeftRight = iconOf('arrows-left-right');
export const IconBell = iconOf('bell');
export const IconBraces = iconOf('braces');
export const IconBroadcast = iconOf('broadcast');
export const IconChartBar = iconOf('chart-bar');
export const IconCheck = iconOf('check');
export const IconCircle = iconOf('circle');
export const IconCircleCheck = iconOf('circle-check');
export const IconCopy = iconOf('copy');
export const IconDice5 = iconOf('dice-5');
export const IconDots = iconOf('dots');
export const IconDownload = iconOf('download');
export const IconEye = iconOf('eye');
export const IconEyeOff = iconOf('eye-off');
export const IconFileImport = iconOf('file-import');
export const IconFileUpload = iconOf('file-upload');
export const IconFlag3 = iconOf('flag-3');
export const IconFolder = iconOf('folder');
export const IconHandStop = iconOf('hand-stop');
export const IconHistory = iconOf('history');
export const IconKey = iconOf('key');
export const IconKeyOff = iconOf('key-off');
export const IconKeyboard = iconOf('keyboard');
export const IconListDetails = iconOf('list-details');
export const IconLock = iconOf('lock');
export const IconLockPlus = iconOf('lock-plus');
export const IconLogout = iconOf('logout');
export const IconMessage2Code = iconOf('message-2-code');
export const IconMoon = iconOf('moon');
export const IconPencil = iconOf('pencil');
export const IconPlayerPlay = iconOf('player-play');
export const IconPlus = iconOf('plus');
export const IconRefresh = iconOf('refresh');
export const IconRepeat = iconOf('repeat');
export const IconSearch = iconOf('search');
export const IconSelector = iconOf('selector');
export const IconShieldCheck = iconOf('shield-check');
export const IconShieldExclamation = iconOf('shield-exclamation');
export const IconShieldLock = iconOf('shield-lock');
export const IconStack2 = iconOf('stack-2');
export const IconSun = iconOf('sun');
export const IconSunMoon = iconOf('sun-moon');
export const IconTag = iconOf('tag');
export const IconTags = iconOf('tags');
export const IconTrash = iconOf('trash');
export const IconUserPlus = iconOf('user-plus');
export const IconUsers = iconOf('users');
export const IconX = iconOf('x');
export const IconZoomQuestion = iconOf('zoom-question');
