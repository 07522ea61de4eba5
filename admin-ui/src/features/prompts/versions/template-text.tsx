import { Badge, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Message, MessagesPlaceholder } from '../../../../../contract/content/content.ts';
import { isPlaceholder } from '../../../../../contract/content/templates.ts';
import { visible } from '../../../../../contract/content/visible.ts';
import type { JsonObject } from '../../../../../contract/fields/fields.ts';
import { Muted } from '../../../components/basics.tsx';
import classes from './template-text.module.css';
import { partsOf } from './text-parts.ts';

interface MarkedTextProps {
  text: string;
  /** What takes the place of the placeholders, also marked. */
  values?: JsonObject | undefined;
}

/** The text of a template with its placeholders marked, and characters that would hide as escapes. */
const MarkedText = ({ text, values }: MarkedTextProps) =>
  partsOf(text, values ?? {}).map(({ kind, text: part, at }) =>
    kind === 'text' ? (
      visible(part)
    ) : (
      <mark key={at} className={values ? classes[kind] : classes.placeholder}>
        {visible(part)}
      </mark>
    ),
  );

/** The text of a message, framed. */
export const MessageText = ({ children }: { children: ReactNode }) => (
  <div className={`${classes.text} ${classes.message}`}>{children}</div>
);

/** A template with its placeholders marked, framed. */
export const TemplateText = ({ label, ...marked }: MarkedTextProps & { readonly label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
  <section className={`${classes.text} ${classes.frame}`} tabIndex={0} aria-label={label}>
    <MarkedText {...marked} />
  </section>
);

interface MessagesProps {
  label: string;
  messages: readonly Message[];
  values?: JsonObject;
  /** What takes the place of a list of messages; undefined for nothing. */
  listFor?: (placeholder: MessagesPlaceholder) => ReactNode;
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
            <Muted>
              The messages of the application go here{message.optional === true && ', if it sends any'}.
            </Muted>
          ))
        ) : (
          <MessageText>
            <MarkedText text={message.content} values={values} />
          </MessageText>
        )}
      </li>
    ))}
  </Stack>
);
