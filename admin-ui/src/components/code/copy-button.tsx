import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '../icons.tsx';

export interface CopyProps {
  readonly text: string;
  /** What the text is, such as "the name". */
  readonly label: string;
  /** Called when it is copied. */
  readonly onCopy?: (() => void) | undefined;
}

const useCopy = ({ text, label, onCopy }: CopyProps) => {
  const { copied, copy } = useClipboard({ timeout: 1500 });
  const Icon = copied ? IconCheck : IconCopy;
  const onClick = () => {
    copy(text);
    onCopy?.();
  };
  return { onClick, says: copied ? 'Copied' : `Copy ${label}`, icon: <Icon size={14} /> };
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
