import { ActionIcon, Box, Button, Code, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Icon } from './icons.tsx';

interface CopyProps {
  text: string;
  /** What the text is, such as "the name". */
  label: string;
  /** Called when it is copied. */
  onCopy?: (() => void) | undefined;
}

const useCopy = ({ text, label, onCopy }: CopyProps) => {
  const { copied, copy } = useClipboard({ timeout: 1500 });
  const onClick = () => {
    copy(text);
    onCopy?.();
  };
  return {
    onClick,
    says: copied ? 'Copied' : `Copy ${label}`,
    icon: <Icon name={copied ? 'check' : 'copy'} />,
  };
};

export const CopyIcon = (props: CopyProps) => {
  const { onClick, says, icon } = useCopy(props);
  return (
    <Tooltip label={says}>
      <ActionIcon size="sm" onClick={onClick} aria-label={`Copy ${props.label}`}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
};

/** The same as a button with words. */
export const CopyTextButton = (props: CopyProps) => {
  const { onClick, says, icon } = useCopy(props);
  return (
    <Button variant="default" onClick={onClick} leftSection={icon}>
      {says}
    </Button>
  );
};

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
