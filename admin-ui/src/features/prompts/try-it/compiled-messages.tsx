import { Badge, Text } from '@mantine/core';
import type { Message, MessagesPlaceholder } from '../../../../../contract/content/content.ts';
import type { JsonObject } from '../../../../../contract/fields/fields.ts';
import { isPlaceholder } from '../../../../../contract/templates.ts';
import classes from '../versions/messages.module.css';
import { MarkedText } from '../versions/template-text.tsx';
import { listOf } from './tried-chat.ts';

interface CompiledMessagesProps {
  readonly messages: readonly Message[];
  readonly values: JsonObject;
  /** JSON texts of lists of messages by the names of their placeholders. */
  readonly lists: Readonly<Record<string, string>>;
}

export const CompiledMessages = ({ messages, values, lists }: CompiledMessagesProps) => (
  <ol className={`cv-list ${classes.list}`} aria-label="Compiled messages">
    {messages.map((message, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: messages have no identity
      <li key={index}>
        <Badge color={isPlaceholder(message) ? 'gray' : 'slate'} mb={4}>
          {isPlaceholder(message) ? message.name : message.role}
        </Badge>
        {isPlaceholder(message) ? (
          <Inserted placeholder={message} text={lists[message.name] ?? ''} />
        ) : (
          <div className={classes.text}>
            <MarkedText text={message.content} values={values} />
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
    <Text c="dimmed">
      {list !== undefined || placeholder.optional === true
        ? 'No messages.'
        : 'The messages of the application go here.'}
    </Text>
  );
};
