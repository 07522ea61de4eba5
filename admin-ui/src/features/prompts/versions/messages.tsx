import { Badge, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Message, MessagesPlaceholder } from '../../../../../contract/content/content.ts';
import { visible } from '../../../../../contract/content/visible.ts';
import type { JsonObject } from '../../../../../contract/fields/fields.ts';
import { isPlaceholder } from '../../../../../contract/templates.ts';
import { MarkedText, MessageText } from './template-text.tsx';

interface MessagesProps {
  /** Label for screen readers. */
  readonly label: string;
  readonly messages: readonly Message[];
  /** What takes the place of the variables. */
  readonly values?: JsonObject;
  /** What takes the place of a list of messages; undefined for nothing. */
  readonly listFor?: (placeholder: MessagesPlaceholder) => ReactNode;
}

/** The messages of a chat: each with its role and text, or the list of messages that goes there. */
export const Messages = ({ label, messages, values, listFor }: MessagesProps) => (
  <Stack component="ol" gap="sm" className="cv-list" aria-label={label}>
    {messages.map((message, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: messages have no identity
      <li key={index}>
        <Badge color={isPlaceholder(message) ? 'gray' : 'slate'} mb={4}>
          {isPlaceholder(message) ? `placeholder ${visible(message.name)}` : message.role}
        </Badge>
        {isPlaceholder(message) ? (
          (listFor?.(message) ?? (
            <Text c="dimmed">
              The messages of the application go here{message.optional === true && ', if it sends any'}.
            </Text>
          ))
        ) : (
          <MessageText>
            <MarkedText text={message.content} {...(values && { values })} />
          </MessageText>
        )}
      </li>
    ))}
  </Stack>
);
