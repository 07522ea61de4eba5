import { List, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRole } from '../../../api/session-context.tsx';
import { CodeBlock } from '../../../components/code/code-block.tsx';
import { ButtonLink } from '../../../components/link.tsx';
import { Notice } from '../../../components/states.tsx';

const EXAMPLE = `You answer customers of {{company}}.
The customer wrote: {{message}}`;

export const FirstPrompt = () => {
  const { can } = useRole();
  return (
    <Notice title="Keep your prompts here, not in your code">
      <Text size="md">
        A prompt is a text with placeholders. Applications fetch it by name and fill in the placeholders, so
        you can change the words without a deployment.
      </Text>
      <CodeBlock text={EXAMPLE} label="An example" />
      <List size="md" spacing={4}>
        <List.Item>Every change is a new version that never changes again: 1.0.0, 1.1.0, 2.0.0.</List.Item>
        <List.Item>
          A label such as <code>production</code> points to one version. Move it to publish, move it back to
          undo.
        </List.Item>
        <List.Item>Each fetch is recorded, so you see who a change affects before you make it.</List.Item>
      </List>
      {can('editor') ? (
        <ButtonLink size="sm" to="/prompts/new" leftSection={<IconPlus size={16} aria-hidden />}>
          Write the first prompt
        </ButtonLink>
      ) : (
        <Text size="md" c="dimmed">
          Editors and administrators can write prompts.
        </Text>
      )}
    </Notice>
  );
};
