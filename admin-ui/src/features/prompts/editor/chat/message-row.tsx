import { ActionIcon, Checkbox, Group, Select, Text, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import {
  type Message,
  type MessagesPlaceholder,
  ROLES,
  type TextMessage,
} from '../../../../../../contract/content/content.ts';
import { isPlaceholder } from '../../../../../../contract/templates.ts';
import { byNeed } from '../../../../components/by-need.tsx';
import { messagesIn } from '../fields/values.ts';
import classes from './messages-editor.module.css';

const TemplateEditor = byNeed('template-editor', () => import('../template/template-editor.tsx'));

interface MessageRowProps {
  readonly message: Message;
  /** Its position, from 1. */
  readonly number: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onChange: (message: Message) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
  /** Messages that take the place of this one. */
  readonly onPaste: (messages: readonly Message[]) => void;
}

const MOVES = [
  { by: -1, where: 'up', Icon: IconArrowUp },
  { by: 1, where: 'down', Icon: IconArrowDown },
] as const;

// A disabled button would lose the focus at the end of a list.
const dimmed = (isEnd: boolean) => (isEnd ? { 'aria-disabled': true, 'data-disabled': true } : {});

/** One message of a chat: its role and its text, or a placeholder. */
export const MessageRow = (props: MessageRowProps) => {
  const { message, number, isFirst, isLast, onChange, onMove, onRemove, onPaste } = props;
  return (
    <div className={classes.message}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        {isPlaceholder(message) ? (
          <PlaceholderFields message={message} number={number} onChange={onChange} />
        ) : (
          <Select
            size="xs"
            w="9rem"
            aria-label={`Role of message ${number}`}
            data={[...ROLES]}
            value={message.role}
            onChange={(next) =>
              onChange({ ...message, role: ROLES.find((role) => role === next) ?? message.role })
            }
          />
        )}
        <Group gap={4} wrap="nowrap">
          {MOVES.map(({ by, where, Icon }) => (
            <ActionIcon
              key={where}
              variant="default"
              aria-label={`Move message ${number} ${where}`}
              {...dimmed(by === -1 ? isFirst : isLast)}
              onClick={() => onMove(by)}
            >
              <Icon size={14} aria-hidden />
            </ActionIcon>
          ))}
          <ActionIcon variant="default" aria-label={`Delete message ${number}`} onClick={onRemove}>
            <IconTrash size={14} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      {!isPlaceholder(message) && <MessageText message={message} onChange={onChange} onPaste={onPaste} />}
    </div>
  );
};

interface MessageTextProps extends Pick<MessageRowProps, 'onChange' | 'onPaste'> {
  readonly message: TextMessage;
}

const MessageText = ({ message, onChange, onPaste }: MessageTextProps) => (
  <div
    className={classes.text}
    onPasteCapture={(event) => {
      if (message.content !== '') return;
      const pasted = messagesIn(event.clipboardData.getData('text/plain'));
      if (!pasted?.length) return;
      event.preventDefault();
      event.stopPropagation();
      onPaste(pasted);
    }}
  >
    <TemplateEditor
      label="Content"
      value={message.content}
      onChange={(content) => onChange({ ...message, content })}
    />
  </div>
);

interface PlaceholderFieldsProps extends Pick<MessageRowProps, 'number' | 'onChange'> {
  readonly message: MessagesPlaceholder;
}

const PlaceholderFields = ({ message, number, onChange }: PlaceholderFieldsProps) => (
  <Group gap="sm">
    <Text fw={600}>Placeholder</Text>
    <TextInput
      size="xs"
      w="11rem"
      aria-label={`Name of the list of messages at ${number}`}
      placeholder="history"
      value={message.name}
      onChange={(event) => onChange({ ...message, name: event.currentTarget.value })}
      error={/[{}\s]/.test(message.name) && 'Without braces and blanks.'}
      spellCheck={false}
      autoComplete="off"
    />
    <Checkbox
      size="xs"
      label="Optional"
      checked={message.optional === true}
      onChange={(event) =>
        onChange({
          type: 'placeholder',
          name: message.name,
          ...(event.currentTarget.checked && { optional: true }),
        })
      }
    />
  </Group>
);
