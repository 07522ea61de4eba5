import {
  ActionIcon,
  Box,
  Button,
  Checkbox,
  Group,
  JsonInput,
  Paper,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  type Message,
  type MessagesPlaceholder,
  ROLES,
  type Role,
} from '../../../../../contract/content/content.ts';
import { isPlaceholder } from '../../../../../contract/content/templates.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { RowButton, Small } from '../../../components/basics.tsx';
import { Icon } from '../../../components/icons.tsx';
import { byNeed } from '../../../components/states.tsx';
import {
  type Edited,
  type EditedMessage,
  edited,
  headingOf,
  messagesIn,
  moved,
  nextRole,
} from './content.ts';

interface MessagesEditorProps {
  content: Edited;
  onChange: (change: Partial<Edited>) => void;
}

export const MessagesEditor = ({ content, onChange }: MessagesEditorProps) => {
  const { messages, messagesJson } = content;
  const read = messagesJson === undefined ? undefined : messagesIn(messagesJson);
  const isJson = messagesJson !== undefined;
  const all = messages.map(({ message }) => message);
  const show = () =>
    onChange(
      isJson
        ? { messagesJson: undefined, ...(read && { messages: read.map(edited) }) }
        : { messagesJson: JSON.stringify(all, undefined, 2) },
    );
  return (
    <>
      {isJson ? (
        <JsonInput
          label="Messages as JSON"
          description="An array of messages, as you send them to a model. Paste one here."
          value={messagesJson}
          onChange={(text) => onChange({ messagesJson: text })}
          error={
            read === undefined &&
            'Enter a JSON array of {"role", "content"} and {"type": "placeholder", "name"}.'
          }
          minRows={10}
          maxRows={30}
          data-autofocus
        />
      ) : (
        <List messages={messages} onChange={(next) => onChange({ messages: next })} />
      )}
      <Group mt="xs">
        <RowButton onClick={show} disabled={isJson && read === undefined}>
          {isJson ? 'Show as messages' : 'Edit or paste as JSON'}
        </RowButton>
      </Group>
    </>
  );
};

interface ListProps {
  messages: readonly EditedMessage[];
  onChange: (messages: readonly EditedMessage[]) => void;
}

const List = ({ messages, onChange }: ListProps) => {
  const host = useRef<HTMLDivElement>(null);
  const [said, setSaid] = useState('');
  const isFull = messages.length >= LIMITS.messages;
  const move = (index: number, by: -1 | 1) => {
    const next = moved(messages, index, by);
    if (next === messages) return;
    const active = document.activeElement;
    // Moving an element in the page takes the focus from it.
    flushSync(() => onChange(next));
    if (active instanceof HTMLElement) active.focus();
    setSaid(`Moved to position ${index + 1 + by} of ${messages.length}.`);
  };
  /** Changes the list, and then focuses the message with the key. */
  const changeAndFocus = (next: readonly EditedMessage[], key: number | undefined) => {
    flushSync(() => onChange(next));
    const row = host.current?.querySelector(`[data-key="${key}"]`);
    const field = row?.querySelector<HTMLElement>('[contenteditable=true]') ?? row?.querySelector('input');
    field?.focus();
  };
  const put = (index: number) => (message: Message) =>
    onChange(messages.map((each, at) => (at === index ? { ...each, message } : each)));
  const remove = (index: number) => {
    changeAndFocus(messages.toSpliced(index, 1), (messages[index + 1] ?? messages[index - 1])?.key);
    setSaid(`Deleted message ${index + 1}.`);
  };
  const add = (message: Message) => {
    const added = edited(message);
    changeAndFocus([...messages, added], added.key);
  };
  const onKey = (index: number) => (event: KeyboardEvent) => {
    if (!event.ctrlKey || !event.shiftKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    event.stopPropagation();
    move(index, event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <>
      <Stack component="ol" ref={host} className="cv-list" gap="xs">
        {messages.map(({ key, message }, index) => (
          <li
            key={key}
            data-key={key}
            aria-label={`Message ${index + 1}: ${headingOf(message)}`}
            onKeyDownCapture={onKey(index)}
          >
            <Paper withBorder bg="var(--cv-page)" p="xs">
              <Group justify="space-between" wrap="nowrap" align="flex-start">
                {isPlaceholder(message) ? (
                  <PlaceholderFields {...{ message, number: index + 1 }} onChange={put(index)} />
                ) : (
                  <Select<Role>
                    size="xs"
                    w="9rem"
                    aria-label={`Role of message ${index + 1}`}
                    data={ROLES}
                    value={message.role}
                    onChange={(role) => put(index)({ ...message, role: role ?? message.role })}
                  />
                )}
                <Group gap={4} wrap="nowrap">
                  {MOVES.map(({ by, where }) => (
                    <ActionIcon
                      key={where}
                      variant="default"
                      aria-label={`Move message ${index + 1} ${where}`}
                      {...dimmed(messages[index + by] === undefined)}
                      onClick={() => move(index, by)}
                    >
                      <Icon name={`arrow-${where}`} />
                    </ActionIcon>
                  ))}
                  <ActionIcon
                    variant="default"
                    aria-label={`Delete message ${index + 1}`}
                    onClick={() => remove(index)}
                  >
                    <Icon name="trash" />
                  </ActionIcon>
                </Group>
              </Group>
              {!isPlaceholder(message) && (
                <Box mt="xs">
                  <TemplateEditor
                    label="Content"
                    value={message.content}
                    onChange={(content) => put(index)({ ...message, content })}
                  />
                </Box>
              )}
            </Paper>
          </li>
        ))}
      </Stack>
      <Group mt={messages.length > 0 ? 'xs' : 0}>
        <Button
          variant="default"
          disabled={isFull}
          onClick={() => add({ role: nextRole(messages.map(({ message }) => message)), content: '' })}
        >
          Add a message
        </Button>
        <Button
          variant="default"
          disabled={isFull}
          onClick={() =>
            add({
              type: 'placeholder',
              name: messages.some(({ message }) => isPlaceholder(message)) ? '' : 'history',
            })
          }
        >
          Add a placeholder for messages
        </Button>
        <Small role="status">
          {said || `${messages.length} of at most ${LIMITS.messages}. Ctrl+Shift+↑ and ↓ move a message.`}
        </Small>
      </Group>
    </>
  );
};

const TemplateEditor = byNeed(() => import('./template-editor.tsx'));

const MOVES = [
  { by: -1, where: 'up' },
  { by: 1, where: 'down' },
] as const;

// A disabled button would lose the focus at the end of a list.
const dimmed = (isEnd: boolean) => (isEnd ? { 'aria-disabled': true, 'data-disabled': true } : {});

interface PlaceholderFieldsProps {
  message: MessagesPlaceholder;
  /** Its position, from 1. */
  number: number;
  onChange: (message: Message) => void;
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
