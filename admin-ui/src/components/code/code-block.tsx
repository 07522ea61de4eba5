import { Box } from '@mantine/core';
import classes from './code-block.module.css';
import { CopyIcon, type CopyProps } from './copy-button.tsx';

/** Text in a monospace font with a copy button. `label` says what it is, such as "the curl command". */
export const CodeBlock = ({ text, label, onCopy }: CopyProps) => (
  <Box pos="relative" bd="1px solid var(--cv-line)" bdrs="sm" bg="var(--cv-page)">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard */}
    <section className={classes.text} tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
    <Box pos="absolute" top="0.3rem" right="0.3rem">
      <CopyIcon text={text} label={label} onCopy={onCopy} />
    </Box>
  </Box>
);
