import { Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { visible } from '../../../../../contract/content/visible.ts';
import { useSession } from '../../../api/session-context.tsx';
import { Part } from '../../../components/basics.tsx';
import { CodeBlock, CopyIcon } from '../../../components/code-block.tsx';
import { served } from '../../../components/prompt-content.ts';
import {
  type Choice,
  curlSnippet,
  inputOf,
  type Library,
  pythonSnippet,
  typescriptSnippet,
} from '../../../components/snippet-texts.ts';
import { defaultLabel } from '../labels/label-names.ts';
import { type Prompt, type Version, versionQuery } from '../prompt-queries.ts';

const LIBRARIES = [
  { value: 'openai', label: 'OpenAI' },
  { value: 'anthropic', label: 'Anthropic' },
  { value: 'ai-sdk', label: 'AI SDK (TypeScript)' },
] as const;

/** A way to fetch, and the version that it gets now. */
type Way = readonly [text: string, choice: Choice, fetched: string];

/** Code snippets that fetch this prompt. */
export const Snippets = ({ prompt, version }: { prompt: Prompt; version: Version }) => {
  const { config } = useSession();
  const { version: number } = version;
  const proposed = defaultLabel(prompt.labels);
  const fixed: Way = [`Always version ${number}`, { kind: 'version', version: number }, number];
  const ways: readonly Way[] = [
    ...prompt.labels.map(
      (to): Way => [`The label ${to.label}`, { kind: 'label', label: to.label }, to.version],
    ),
    fixed,
    ['The latest version, with each publish', { kind: 'latest' }, prompt.latest],
  ];
  const [chosen, choose] = useState<string>();
  const [text, choice, fetched] =
    ways.find(([each]) => each === (chosen ?? `The label ${proposed}`)) ?? fixed;
  // The variables are those of the version that the call fetches, not of the one on the screen.
  const { data = version } = useQuery({
    ...versionQuery(prompt.promptId, fetched),
    enabled: fetched !== number,
  });
  const content = served(data);
  const [library, setLibrary] = useState<Library>('openai');
  const input = { apiUrl: config.apiUrl, name: prompt.name, choice, ...inputOf(content, library) };
  return (
    <Stack gap="sm">
      {content.type === 'chat' && (
        <Select<Library>
          label="Library"
          w={260}
          value={library}
          onChange={(next) => setLibrary(next ?? 'openai')}
          data={LIBRARIES}
        />
      )}
      <Select
        label="Fetch"
        w={260}
        value={text}
        onChange={(next) => choose(next ?? undefined)}
        data={ways.map(([each]) => each)}
      />
      <Text c="dimmed">
        The clients read <code>CUEVAULT_URL={config.apiUrl}</code> and <code>CUEVAULT_API_KEY</code> from the
        environment. The id of this prompt is <code>{prompt.promptId}</code>{' '}
        <CopyIcon text={prompt.promptId} label="the id" />
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
