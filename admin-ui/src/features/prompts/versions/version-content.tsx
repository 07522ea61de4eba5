import { Code, Group, Stack, Text, Title } from '@mantine/core';
import { variablesOf } from '../../../../../contract/templates.ts';
import { CodeBlock } from '../../../components/code/code-block.tsx';
import { CopyTextButton } from '../../../components/code/copy-button.tsx';
import { Tags } from '../../../components/tags.tsx';
import type { Version } from '../prompt-queries.ts';
import { TemplateText } from './template-text.tsx';

/** The content of a version: text, variables, tags, metadata. */
export const VersionContent = ({ version }: { version: Version }) => (
  <Stack gap="md">
    <div>
      <TemplateText text={version.prompt} label={`Template of version ${version.version}`} />
      <Group justify="flex-end" mt={6}>
        <CopyTextButton text={version.prompt} label="the template" />
      </Group>
    </div>
    <Part title="Variables">
      <Variables names={variablesOf(version.prompt)} />
    </Part>
    {version.tags.length > 0 && (
      <Part title="Tags">
        <Tags tags={version.tags} shown={50} />
      </Part>
    )}
    {Object.keys(version.metaProperties).length > 0 && (
      <Part title="Metadata">
        <CodeBlock text={JSON.stringify(version.metaProperties, undefined, 2)} label="the metadata" />
      </Part>
    )}
  </Stack>
);

const Part = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <div>
    <Title order={3} mb={4}>
      {title}
    </Title>
    {children}
  </div>
);

/** The names of placeholders. */
export const Variables = ({ names }: { names: readonly string[] }) =>
  names.length === 0 ? (
    <Text size="sm" c="dimmed">
      None: the text is served as it is.
    </Text>
  ) : (
    <Group gap={6}>
      {names.map((name) => (
        <Code key={name} className="cv-break" bg="var(--cv-mark)" c="var(--cv-mark-text)">
          {name}
        </Code>
      ))}
    </Group>
  );
