import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Content, Message, MessagesPlaceholder } from '../../../../../contract/content/content.ts';
import { declared } from '../../../../../contract/content/variables.ts';
import { visible } from '../../../../../contract/content/visible.ts';
import type { JsonObject } from '../../../../../contract/fields/fields.ts';
import { isPlaceholder, variablesIn } from '../../../../../contract/templates.ts';
import { RowButton } from '../../../components/small.tsx';
import classes from './template-text.module.css';
import { partsOf, wordsOf } from './text-parts.ts';

interface MarkedTextProps {
  readonly text: string;
  /** What takes the place of the placeholders, also marked. */
  readonly values?: JsonObject;
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
  readonly label: string;
  readonly messages: readonly Message[];
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

const Name = Code.withProps({ className: 'cv-break', bg: 'var(--cv-mark)', c: 'var(--cv-mark-text)' });

interface VariablesListProps {
  /** Its texts say which variables there are. */
  readonly content: Content;
  /** What is declared of variables that no text uses. */
  readonly unused?: readonly string[];
  /** Declares variables that are not declared yet. */
  readonly onDeclare?: (names: readonly string[]) => void;
}

/** The variables of the texts, with what is declared about them. */
export const VariablesList = ({ content, unused = [], onDeclare }: VariablesListProps) => {
  const used = variablesIn(content);
  const undeclared = used.filter((name) => !declared(content.variables, name));
  if (used.length + unused.length === 0)
    return (
      <Text c="dimmed">
        None:{' '}
        {content.type === 'chat' ? 'the messages are served as they are' : 'the text is served as it is'}.
      </Text>
    );
  return (
    <Stack gap={6}>
      {undeclared.length > 0 && (
        <Group gap={6}>
          {undeclared.map((name) => (
            <Name key={name}>{visible(name)}</Name>
          ))}
          {onDeclare && (
            <RowButton onClick={() => onDeclare(undeclared)}>Declare types and defaults</RowButton>
          )}
        </Group>
      )}
      {used.map((name) => {
        const declaration = declared(content.variables, name);
        return (
          declaration && (
            <Group key={name} gap="xs">
              <Name>{visible(name)}</Name>
              <Text className="cv-break">{visible(wordsOf(declaration))}</Text>
            </Group>
          )
        );
      })}
      {unused.length > 0 && (
        <Text c="amber" role="status" className="cv-break">
          Declared, but no text uses them: {visible(unused.join(', '))}.
        </Text>
      )}
    </Stack>
  );
};
