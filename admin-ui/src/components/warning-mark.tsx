import { Tooltip } from '@mantine/core';

/** A sign that something is to be noted, which is said when it is pointed to, focused or touched. */
export const WarningMark = ({ text }: { text: string }) => (
  <Tooltip label={text} multiline w={280}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its text must be reachable by keyboard */}
    <span role="img" aria-label={text} tabIndex={0} className="cv-dot" />
  </Tooltip>
);
