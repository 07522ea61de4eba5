import { icons } from '@iconify-json/tabler';
import type { ReactNode, SVGProps } from 'react';

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'ref'> {
  readonly size?: number;
  /** What it says; without it, the icon says nothing that is not in the text beside it. */
  readonly label?: string;
}

export type Icon = (props: IconProps) => ReactNode;

/** An icon of Tabler (tabler.io/icons) by its name. The build keeps those that are named here. */
const iconOf = (name: string): Icon => {
  const lines = [...(icons.icons[name]?.body.matchAll(/ d="([^"]+)"/g) ?? [])].map(([, line]) => line);
  return ({ size = 16, label, ...props }) => (
    <svg
      role={label && 'img'}
      aria-label={label}
      aria-hidden={!label}
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
export const IconArrowDown = iconOf('arrow-down');
export const IconArrowUp = iconOf('arrow-up');
export const IconBell = iconOf('bell');
export const IconCheck = iconOf('check');
export const IconCircle = iconOf('circle');
export const IconCircleCheck = iconOf('circle-check');
export const IconCopy = iconOf('copy');
export const IconDots = iconOf('dots');
export const IconEye = iconOf('eye');
export const IconEyeOff = iconOf('eye-off');
export const IconFlag3 = iconOf('flag-3');
export const IconFolder = iconOf('folder');
export const IconHistory = iconOf('history');
export const IconKey = iconOf('key');
export const IconListDetails = iconOf('list-details');
export const IconLock = iconOf('lock');
export const IconMessage2Code = iconOf('message-2-code');
export const IconPlus = iconOf('plus');
export const IconSearch = iconOf('search');
export const IconSelector = iconOf('selector');
export const IconShieldCheck = iconOf('shield-check');
export const IconShieldExclamation = iconOf('shield-exclamation');
export const IconShieldLock = iconOf('shield-lock');
export const IconTrash = iconOf('trash');
export const IconUsers = iconOf('users');
export const IconX = iconOf('x');
