import { Badge, Text } from '@mantine/core';
import {
  isPlaceholder,
  type Message,
  type MessagesPlaceholder,
} from '../../../../../contract/content/content.ts';
import type { JsonObject } from '../../../../../contract/fields/fields.ts';
import classes from '../versions/messages.module.css';
import { partsOf } from './compiled-parts.ts';
import marks from './compiled-text.module.css';
import { listOf } from './tried-chat.ts';

interface CompiledMessagesProps {
  readonly messages: readonly Message[];
  readonly values: JsonObject;
  /** JSON texts of lists of messages by the names of their placeholders. */
  readonly lists: Readonly<Record<string, string>>;
}

/** Compiled messages with inserted and missing values marked. */
export const CompiledMessages = ({ messages, values, lists }: CompiledMessagesProps) => (
  <ol className={classes.list} aria-label="Compiled messages">
    {messages.map((message, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: messages have no identity
      <li key={index}>
        <Badge size="sm" color={isPlaceholder(message) ? 'gray' : 'slate'} mb={4}>
          {isPlaceholder(message) ? message.name : message.role}
        </Badge>
        {isPlaceholder(message) ? (
          <Inserted placeholder={message} text={lists[message.name] ?? ''} />
        ) : (
          <div className={classes.text}>
            {partsOf(message.content, values).map(({ kind, text, at }) =>
              kind === 'text' ? (
                text
              ) : (
                <mark key={at} className={marks[kind]}>
                  {text}
                </mark>
              ),
            )}
          </div>
        )}
      </li>
    ))}
  </ol>
);

const Inserted = ({ placeholder, text }: { placeholder: MessagesPlaceholder; text: string }) => {
  const list = listOf(text);
  if (list !== undefined && list.length > 0)
    return <div className={classes.text}>{list.map((each) => JSON.stringify(each)).join('\n')}</div>;
  return (
    <Text size="sm" c="dimmed">
      {list !== undefined || placeholder.optional === true
        ? 'No messages.'
        : 'The messages of the application go here.'}
    </Text>
  );
};
