import { ActionIcon, Button, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** Copies a text; `label` says what it is, such as "the name". */
export const CopyIcon = ({ text, label }: { text: string; label: string }) => (
  <CopyButton value={text} timeout={1500}>
    {({ copied, copy }) => (
      <Tooltip label={copied ? 'Copied' : `Copy ${label}`}>
        <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label={`Copy ${label}`}>
          {copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
        </ActionIcon>
      </Tooltip>
    )}
  </CopyButton>
);

/** The same as a button with words. */
export const CopyTextButton = ({ text, label }: { text: string; label: string }) => (
  <CopyButton value={text} timeout={1500}>
    {({ copied, copy }) => (
      <Button
        variant="default"
        size="xs"
        onClick={copy}
        leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
      >
        {copied ? 'Copied' : `Copy ${label}`}
      </Button>
    )}
  </CopyButton>
);
