// Icons of Tabler (tabler.io/icons): the paths of each in icons.json, under the license beside it. Their package has
// 18,000 files, as many as all else that npm start installs.
import type { ReactNode, SVGProps } from 'react';
import * as paths from './icons.json';

export type Icon = (props: Omit<SVGProps<SVGSVGElement>, 'ref'> & { readonly size?: number }) => ReactNode;

const iconOf =
  (d: string): Icon =>
  ({ size = 24, ...props }) => (
    <svg
      aria-hidden
      {...{ width: size, height: size, viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor' }}
      {...{ strokeWidth: 2, strokeLinecap: 'round', strokeLinejoin: 'round' }}
      {...props}
    >
      <path d={d} />
    </svg>
  );

export const IconActivityHeartbeat = iconOf(paths.activityHeartbeat);
export const IconAlertTriangle = iconOf(paths.alertTriangle);
export const IconArrowBackUp = iconOf(paths.arrowBackUp);
export const IconArrowDown = iconOf(paths.arrowDown);
export const IconArrowUp = iconOf(paths.arrowUp);
export const IconArrowsDiff = iconOf(paths.arrowsDiff);
export const IconArrowsLeftRight = iconOf(paths.arrowsLeftRight);
export const IconBell = iconOf(paths.bell);
export const IconBraces = iconOf(paths.braces);
export const IconBroadcast = iconOf(paths.broadcast);
export const IconChartBar = iconOf(paths.chartBar);
export const IconCheck = iconOf(paths.check);
export const IconCircle = iconOf(paths.circle);
export const IconCircleCheck = iconOf(paths.circleCheck);
export const IconCopy = iconOf(paths.copy);
export const IconDice5 = iconOf(paths.dice5);
export const IconDots = iconOf(paths.dots);
export const IconDownload = iconOf(paths.download);
export const IconEye = iconOf(paths.eye);
export const IconEyeOff = iconOf(paths.eyeOff);
export const IconFileImport = iconOf(paths.fileImport);
export const IconFileUpload = iconOf(paths.fileUpload);
export const IconFlag3 = iconOf(paths.flag3);
export const IconFolder = iconOf(paths.folder);
export const IconHandStop = iconOf(paths.handStop);
export const IconHistory = iconOf(paths.history);
export const IconKey = iconOf(paths.key);
export const IconKeyOff = iconOf(paths.keyOff);
export const IconKeyboard = iconOf(paths.keyboard);
export const IconListDetails = iconOf(paths.listDetails);
export const IconLock = iconOf(paths.lock);
export const IconLockPlus = iconOf(paths.lockPlus);
export const IconLogout = iconOf(paths.logout);
export const IconMessage2Code = iconOf(paths.message2Code);
export const IconMoon = iconOf(paths.moon);
export const IconPencil = iconOf(paths.pencil);
export const IconPlayerPlay = iconOf(paths.playerPlay);
export const IconPlus = iconOf(paths.plus);
export const IconRefresh = iconOf(paths.refresh);
export const IconRepeat = iconOf(paths.repeat);
export const IconSearch = iconOf(paths.search);
export const IconSelector = iconOf(paths.selector);
export const IconShieldCheck = iconOf(paths.shieldCheck);
export const IconShieldExclamation = iconOf(paths.shieldExclamation);
export const IconShieldLock = iconOf(paths.shieldLock);
export const IconStack2 = iconOf(paths.stack2);
export const IconSun = iconOf(paths.sun);
export const IconSunMoon = iconOf(paths.sunMoon);
export const IconTag = iconOf(paths.tag);
export const IconTags = iconOf(paths.tags);
export const IconTrash = iconOf(paths.trash);
export const IconUserPlus = iconOf(paths.userPlus);
export const IconUsers = iconOf(paths.users);
export const IconX = iconOf(paths.x);
export const IconZoomQuestion = iconOf(paths.zoomQuestion);
