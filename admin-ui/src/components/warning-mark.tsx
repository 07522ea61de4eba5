import { Tooltip } from '@mantine/core';
import { IconAlertTriangle } from './icons.tsx';

/** A sign that something is to be noted, which is said when it is pointed to, focused or touched. */
export const WarningMark = ({ text }: { text: string }) => (
  <Tooltip label={text} multiline w={280}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its text must be reachable by keyboard */}
    <span role="img" aria-label={text} tabIndex={0} style={{ display: 'inline-flex' }}>
      <IconAlertTriangle color="var(--mantine-color-amber-6)" />
    </span>
  </Tooltip>
);
