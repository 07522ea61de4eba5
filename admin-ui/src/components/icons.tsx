import { icons } from '@iconify-json/tabler';
import type { SVGProps } from 'react';

// Of the package, the build keeps these.
const NAMES = [
  'activity-heartbeat',
  'arrow-down',
  'arrow-up',
  'bell',
  'check',
  'circle',
  'circle-check',
  'copy',
  'dots',
  'eye',
  'eye-off',
  'flag-3',
  'folder',
  'history',
  'key',
  'list-details',
  'lock',
  'message-2-code',
  'plus',
  'search',
  'selector',
  'shield-check',
  'shield-exclamation',
  'shield-lock',
  'trash',
  'users',
  'x',
] as const;

export type IconName = (typeof NAMES)[number];

const linesOf = (name: IconName): (string | undefined)[] =>
  [...(icons.icons[name]?.body.matchAll(/ d="([^"]+)"/g) ?? [])].map(([, line]) => line);
const LINES = new Map(NAMES.map((name) => [name, linesOf(name)]));

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'ref' | 'name'> {
  readonly name: IconName;
  readonly size?: number;
  /** What it says; without it, the icon says nothing that is not in the text beside it. */
  readonly label?: string;
}

/** An icon of Tabler (tabler.io/icons). */
export const Icon = ({ name, size = 16, label, ...props }: IconProps) => (
  <svg
    role={label && 'img'}
    aria-label={label}
    aria-hidden={!label}
    {...{ width: size, height: size, viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor' }}
    {...{ strokeWidth: 2, strokeLinecap: 'round', strokeLinejoin: 'round' }}
    {...props}
  >
    {LINES.get(name)?.map((line) => (
      <path key={line} d={line} />
    ))}
  </svg>
);
