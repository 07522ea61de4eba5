import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../api/session-context.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyTextButton } from '../../components/copy-button.tsx';
import { type NewKey, somePromptQuery } from './key-queries.ts';
import { curlLine, environmentLines } from './key-texts.ts';

/** A new key, the one time that it is seen. */
export const NewKeyShown = ({ created, onDone }: { created: NewKey; onDone: () => void }) => {
  const { config } = useSession();
  const { apiKey, key } = created;
  const prompt = useQuery(somePromptQuery).data ?? null;
  return (
    <Stack gap="md">
      <Alert color="amber" title="Take it now">
        This is the only time that the key of <strong className="cv-break">{key.name}</strong> is shown. Put
        it where the application finds it; nobody can look it up again.
      </Alert>
      <div>
        <Group justify="space-between" mb={4} gap="xs">
          <Title order={3}>The key</Title>
          <CopyTextButton text={apiKey} label="the key" />
        </Group>
        <CodeBlock text={apiKey} label="the API key" />
      </div>
      <Part
        title="In the environment"
        text={environmentLines(config.apiUrl, apiKey)}
        label="the environment lines"
      />
      <Part
        title="Try it"
        text={curlLine(config.apiUrl, apiKey, key.permissions, prompt)}
        label="the curl line"
      />
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          The lines hold the key: keep them out of shell histories and chats.
        </Text>
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
};

const Part = ({ title, text, label }: { title: string; text: string; label: string }) => (
  <div>
    <Title order={3} mb={4}>
      {title}
    </Title>
    <CodeBlock text={text} label={label} />
  </div>
);
