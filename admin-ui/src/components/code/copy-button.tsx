import { ActionIcon, Button, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '../icons.tsx';

export interface CopyProps {
  readonly text: string;
  /** What the text is, such as "the name". */
  readonly label: string;
  /** Called when it is copied. */
  readonly onCopy?: (() => void) | undefined;
}

export const CopyIcon = ({ text, label, onCopy }: CopyProps) => (
  <CopyButton value={text} timeout={1500}>
    {({ copied, copy }) => (
      <Tooltip label={copied ? 'Copied' : `Copy ${label}`}>
        <ActionIcon
          size="sm"
          onClick={() => {
            copy();
            onCopy?.();
          }}
          aria-label={`Copy ${label}`}
        >
          {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
        </ActionIcon>
      </Tooltip>
    )}
  </CopyButton>
);

/** The same as a button with words. */
export const CopyTextButton = ({ text, label, onCopy }: CopyProps) => (
  <CopyButton value={text} timeout={1500}>
    {({ copied, copy }) => (
      <Button
        variant="default"
        onClick={() => {
          copy();
          onCopy?.();
        }}
        leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      >
        {copied ? 'Copied' : `Copy ${label}`}
      </Button>
    )}
  </CopyButton>
);
