import { Box, Code } from '@mantine/core';
import { CopyIcon, type CopyProps } from './copy-button.tsx';

/** Text in a monospace font with a copy button. `label` says what it is, such as "the curl command". */
export const CodeBlock = ({ text, label, onCopy }: CopyProps) => (
  <Box pos="relative">
    {/* A part that scrolls must be reachable by keyboard. */}
    <Code
      block
      role="region"
      tabIndex={0}
      aria-label={label}
      bd="1px solid var(--cv-line)"
      bg="var(--cv-page)"
      p="0.6rem 2.4rem 0.6rem 0.75rem"
      mah="28rem"
      style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
    >
      {text}
    </Code>
    <Box pos="absolute" top="0.3rem" right="0.3rem">
      <CopyIcon text={text} label={label} onCopy={onCopy} />
    </Box>
  </Box>
);
