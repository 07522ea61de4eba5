import { Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { visible } from '../../../../../contract/content/visible.ts';
import { useSession } from '../../../api/session-context.tsx';
import { CodeBlock } from '../../../components/code/code-block.tsx';
import {
  type Choice,
  curlSnippet,
  inputOf,
  type Library,
  pythonSnippet,
  typescriptSnippet,
} from '../../../components/code/snippet-texts.ts';
import { Part } from '../../../components/layout/panel.tsx';
import { served } from '../../../components/prompt-content.ts';
import { defaultLabel } from '../labels/label-names.ts';
import { type Prompt, type Version, versionQuery } from '../prompt-queries.ts';

const LATEST = 'latest';
const VERSION = 'version';
const LABEL = 'label:';

const choiceOf = (value: string, version: string): Choice => {
  if (value === LATEST) return { kind: 'latest' };
  return value === VERSION
    ? { kind: 'version', version }
    : { kind: 'label', label: value.slice(LABEL.length) };
};

/** The version that a call fetches now. */
const fetchedBy = (choice: Choice, { latest, labels }: Prompt): string => {
  if (choice.kind === 'version') return choice.version;
  if (choice.kind === 'latest') return latest;
  return labels.find(({ label }) => label === choice.label)?.version ?? latest;
};

const LIBRARIES = [
  { value: 'openai', label: 'OpenAI' },
  { value: 'anthropic', label: 'Anthropic' },
  { value: 'ai-sdk', label: 'AI SDK (TypeScript)' },
] as const;

/** Code snippets that fetch this prompt. */
export const Snippets = ({ prompt, version }: { prompt: Prompt; version: Version }) => {
  const { config } = useSession();
  const labels = prompt.labels.map(({ label }) => ({ value: LABEL + label, label: `The label ${label}` }));
  const proposed = defaultLabel(prompt.labels);
  const [value, setValue] = useState(proposed === undefined ? VERSION : LABEL + proposed);
  const choice = choiceOf(value, version.version);
  // The variables are those of the version that the call fetches, not of the one on the screen.
  const fetched = fetchedBy(choice, prompt);
  const { data = version } = useQuery({
    ...versionQuery(prompt.promptId, fetched),
    enabled: fetched !== version.version,
  });
  const content = served(data);
  const [library, setLibrary] = useState<Library>('openai');
  const input = {
    apiUrl: config.apiUrl,
    name: prompt.name,
    choice,
    ...inputOf(content, library),
  };
  return (
    <Stack gap="sm">
      {content.type === 'chat' && (
        <Select
          label="Library"
          w={260}
          value={library}
          onChange={(next) => setLibrary(LIBRARIES.find((each) => each.value === next)?.value ?? 'openai')}
          data={[...LIBRARIES]}
        />
      )}
      <Select
        label="Fetch"
        w={260}
        value={value}
        onChange={(next) => setValue(next ?? VERSION)}
        data={[
          ...labels,
          { value: VERSION, label: `Always version ${version.version}` },
          { value: LATEST, label: 'The latest version, with each publish' },
        ]}
      />
      <Text c="dimmed">
        The clients read <code>CUEVAULT_URL={config.apiUrl}</code> and <code>CUEVAULT_API_KEY</code> from the
        environment.
      </Text>
      <Snippet title="curl" text={curlSnippet(input)} />
      <Snippet title="Python" text={pythonSnippet(input)} />
      <Snippet title="TypeScript" text={typescriptSnippet(input)} />
    </Stack>
  );
};

const Snippet = ({ title, text }: { title: string; text: string }) => (
  <Part title={title}>
    {/* In a string, an escape means the same. */}
    <CodeBlock text={visible(text)} label={`the ${title} snippet`} />
  </Part>
);
