import { Badge, Code, Group, Stack, Table, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import type { Content, Message } from '../../../../../contract/content/content.ts';
import { shortest } from '../../../../../contract/content/hash.ts';
import { declared } from '../../../../../contract/content/variables.ts';
import { visible } from '../../../../../contract/content/visible.ts';
import { isPlaceholder, variablesIn } from '../../../../../contract/templates.ts';
import { byNeed } from '../../../components/by-need.tsx';
import { CopyTextButton } from '../../../components/code/copy-button.tsx';
import { Part } from '../../../components/layout/panel.tsx';
import { authored, served } from '../../../components/prompt-content.ts';
import { Small } from '../../../components/small.tsx';
import { Tags } from '../../../components/tags.tsx';
import type { Version } from '../prompt-queries.ts';
import classes from './messages.module.css';
import { MarkedText, TemplateText } from './template-text.tsx';

const VersionFields = byNeed('version-fields', () => import('./version-fields.tsx'));

/** The content of a version: text or messages, variables, what goes to the model, tags, metadata. */
export const VersionContent = ({ version }: { version: Version }) => {
  const content = authored(version);
  const { model, config, output, tools, includes, metaProperties } = shortest(content);
  const fields = { model, config, output, tools, includes, metaProperties };
  return (
    <Stack gap="md">
      <div>
        {content.type === 'chat' ? (
          <Messages messages={content.messages} />
        ) : (
          <TemplateText text={version.prompt} label={`Template of version ${version.version}`} />
        )}
        <Group justify="flex-end" mt={6}>
          <CopyTextButton
            text={version.prompt}
            label={content.type === 'chat' ? 'the messages' : 'the template'}
          />
        </Group>
      </div>
      <Part title="Variables">
        <Variables content={served(version)} />
      </Part>
      {Object.values(fields).some((value) => value !== undefined) && (
        <Part title="Model and output">
          <VersionFields {...fields} />
        </Part>
      )}
      {version.tags.length > 0 && (
        <Part title="Tags">
          <Tags tags={version.tags} shown={50} />
        </Part>
      )}
    </Stack>
  );
};

const Messages = ({ messages }: { messages: readonly Message[] }) => (
  <ol className={`cv-list ${classes.list}`} aria-label="Messages">
    {messages.map((message, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a published version never changes
      <li key={index}>
        {isPlaceholder(message) ? (
          <Group gap={6}>
            <Badge color="gray">placeholder</Badge>
            <Code>{visible(message.name)}</Code>
            <Text c="dimmed">messages of the application{message.optional === true && ', optional'}</Text>
          </Group>
        ) : (
          <>
            <Badge color="slate" mb={4}>
              {message.role}
            </Badge>
            <div className={classes.text}>
              <MarkedText text={message.content} />
            </div>
          </>
        )}
      </li>
    ))}
  </ol>
);

const Name = ({ name }: { name: string }) => (
  <Code className="cv-break" bg="var(--cv-mark)" c="var(--cv-mark-text)">
    {visible(name)}
  </Code>
);

/** The variables of the texts, with what is declared about them. */
const Variables = ({ content }: { content: Content }) => {
  const names = variablesIn(content);
  if (names.length === 0)
    return (
      <Text c="dimmed">
        {content.type === 'chat'
          ? 'None: the messages are served as they are.'
          : 'None: the text is served as it is.'}
      </Text>
    );
  if (Object.keys(content.variables ?? {}).length === 0)
    return (
      <Group gap={6}>
        {names.map((name) => (
          <Name key={name} name={name} />
        ))}
      </Group>
    );
  return (
    <Table
      className={`${classes.fields} cv-break`}
      data={{ head: ['Name', 'Type', 'Default'], body: names.map((name) => cellsOf(name, content)) }}
    />
  );
};

const cellsOf = (name: string, content: Content): ReactNode[] => {
  const declaration = declared(content.variables, name);
  const allowed = declaration?.enum?.map((value) => JSON.stringify(value)).join(', ');
  return [
    <Fragment key="name">
      <Name name={name} />
      {declaration?.description && <Small>{visible(declaration.description)}</Small>}
    </Fragment>,
    <Fragment key="type">
      {declaration?.type ?? 'not declared'}
      {allowed && <Small>{visible(allowed)}</Small>}
    </Fragment>,
    <Text
      key="default"
      span
      inherit
      className="cv-mono"
      c={declaration?.default === undefined ? 'dimmed' : 'inherit'}
    >
      {declaration?.default === undefined ? 'required' : visible(JSON.stringify(declaration.default))}
    </Text>,
  ];
};
