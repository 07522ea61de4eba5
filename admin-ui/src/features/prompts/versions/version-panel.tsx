import { Anchor, Box, Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { ContentFields } from '../../../../../contract/content/content.ts';
import { shortest } from '../../../../../contract/content/hash.ts';
import { liveVersion } from '../../../../../contract/content/live.ts';
import { visible } from '../../../../../contract/content/visible.ts';
import { isObject, type JsonObject } from '../../../../../contract/fields/patterns.ts';
import { lazyImport } from '../../../api/lazy-import.ts';
import { useLeadOn } from '../../../api/leaving.ts';
import { useCan, useSession } from '../../../api/session-context.tsx';
import {
  ButtonLink,
  Facts,
  Framed,
  Muted,
  Panel,
  Part,
  promptPage,
  Tags,
  When,
} from '../../../components/basics.tsx';
import { CodeBlock, CopyIcon } from '../../../components/code-block.tsx';
import { confirmByName } from '../../../components/confirm-by-name.tsx';
import { notifyFailure, openDialog } from '../../../components/dialogs.tsx';
import { download } from '../../../components/download.ts';
import { MoreMenu } from '../../../components/more-menu.tsx';
import { authored, served } from '../../../components/prompt-content.ts';
import {
  type Choice,
  curlSnippet,
  inputOf,
  type Library,
  pythonSnippet,
  typescriptSnippet,
} from '../../../components/snippet-texts.ts';
import { byNeed, NotFound, QueryBoundary } from '../../../components/states.tsx';
import { optionsOf, useFilter } from '../../../components/tables/filters.tsx';
import { Views } from '../../../components/views.tsx';
import { Losing } from '../impact/impact-panel.tsx';
import { VersionBadges } from '../labels/label-badge.tsx';
import { openLabelForm } from '../labels/label-dialogs.tsx';
import { defaultLabel } from '../labels/label-names.ts';
import { deleteVersion, type Prompt, type Version, versionQuery } from '../prompt-queries.ts';
import { TryIt } from '../try-it/try-it-by-need.tsx';
import { sourceUrl } from './source-url.ts';
import { Messages, TemplateText } from './template-text.tsx';
import { textOf } from './text-parts.ts';
import { VariablesTable } from './variables-table.tsx';

const FactsOf = ({ values }: { values: JsonObject }) => (
  <Facts
    of={Object.fromEntries(
      Object.entries(values).map(([name, value]) => [visible(name), visible(textOf(value))]),
    )}
  />
);

/** The fields of an object that a schema describes; a schema of anything else as it is. */
const Schema = ({ schema, label }: { schema: JsonObject; label: string }) => {
  const { properties, required } = schema;
  if (!isObject(properties)) return <CodeBlock text={visible(textOf(schema))} label={label} />;
  const needed = Array.isArray(required) ? required : [];
  const wordsOf = (name: string, field: unknown) => {
    const { type, description, ...others } = isObject(field) ? field : {};
    const further = Object.keys(others).length > 0 && others;
    return [type, needed.includes(name) && 'required', description, further]
      .filter(Boolean)
      .map(textOf)
      .join(', ');
  };
  return (
    <FactsOf
      values={Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, wordsOf(name, field)]),
      )}
    />
  );
};

/** What applications pass to the model besides the text, and the metadata. */
const VersionFields = ({ model, config, output, tools, includes, metaProperties }: ContentFields) => (
  <>
    {(model || config || includes) && (
      <Part title="Model">
        <FactsOf
          values={{
            ...(model && { Model: model }),
            ...config,
            ...(includes && { Fragments: includes.join(', ') }),
          }}
        />
      </Part>
    )}
    {output?.schema && (
      <Part title="Output">
        <Schema schema={output.schema} label="the output schema" />
      </Part>
    )}
    {tools && (
      <Part title="Tools">
        <Stack gap="xs">
          {tools.map(({ name, description, inputSchema }) => (
            <Framed key={name} p="xs">
              <Text fw={600} className="cv-mono">
                {visible(name)}
              </Text>
              {description && <Text>{visible(description)}</Text>}
              {inputSchema && <Schema schema={inputSchema} label={`the input of ${name}`} />}
            </Framed>
          ))}
        </Stack>
      </Part>
    )}
    {metaProperties && (
      <Part title="Metadata">
        <FactsOf values={metaProperties} />
      </Part>
    )}
  </>
);

const VersionSource = ({ source }: { source: NonNullable<Version['source']> }) => {
  const { repository, commit, path } = source;
  const { sourceHosts } = useSession().config;
  const text = visible(`${repository} · ${path} at ${commit.slice(0, 7)}`);
  const url = sourceUrl(source, sourceHosts);
  return (
    <>
      {' from '}
      {url ? (
        <Anchor href={url} target="_blank" rel="noreferrer">
          {text}
        </Anchor>
      ) : (
        text
      )}
    </>
  );
};

const route = getRouteApi('/prompts/$promptId');

/** One version: its content, a form to try it, and how to fetch it. */
export const VersionPanel = ({ prompt, version }: { prompt: Prompt; version: string }) => {
  const query = useQuery(versionQuery(prompt.promptId, version));
  const labels = prompt.labels.filter((entry) => entry.version === version).map(({ label }) => label);
  const live = liveVersion(prompt);
  const compared = version === live ? prompt.latest : version;
  return (
    <Panel
      sticky
      title={
        <Group component="span">
          <VersionBadges
            {...{ version, labels, type: query.data?.type }}
            isLatest={version === prompt.latest}
          />
        </Group>
      }
      actions={
        query.data && (
          <>
            {prompt.versions > 1 && (
              <ButtonLink
                to="/prompts/$promptId/compare"
                params={{ promptId: prompt.promptId }}
                search={compared === live ? { to: live } : { from: live, to: compared }}
                variant="default"
                size="compact-sm"
              >
                Compare
              </ButtonLink>
            )}
            <VersionMenu prompt={prompt} version={query.data} />
          </>
        )
      }
    >
      <QueryBoundary query={query} missing={<NotFound what="version" />}>
        {(found) => <Content version={found} prompt={prompt} />}
      </QueryBoundary>
    </Panel>
  );
};

interface VersionProps {
  prompt: Prompt;
  version: Version;
}

const Content = ({ prompt, version }: VersionProps) => {
  const { tab = 'template' } = route.useSearch();
  const set = useFilter();
  return (
    <>
      {version.note && (
        <Text mb={4} style={{ whiteSpace: 'pre-wrap' }}>
          {visible(version.note)}
        </Text>
      )}
      <Muted mb="sm">
        Published <When at={version.publishedAt} /> by {version.publishedBy}
        {version.source && <VersionSource source={version.source} />}
      </Muted>
      <Views
        value={tab}
        onChange={(next) => set({ tab: next }, { resetScroll: false })}
        of={{
          template: [
            version.type === 'chat' ? 'Messages' : 'Template',
            () => <VersionContent version={version} />,
          ],
          try: ['Try it', () => <TryIt promptId={prompt.promptId} content={served(version)} />],
          use: ['Use in code', () => <Snippets prompt={prompt} version={version} />],
        }}
      />
    </>
  );
};

const VersionContent = ({ version }: { version: Version }) => {
  const content = authored(version);
  return (
    <Stack>
      <Box pos="relative">
        {content.type === 'chat' ? (
          <Messages label="Messages" messages={content.messages} />
        ) : (
          <TemplateText text={version.prompt} label={`Template of version ${version.version}`} />
        )}
        <Box pos="absolute" top="0.3rem" right="0.3rem">
          <CopyIcon text={version.prompt} label={content.type === 'chat' ? 'the messages' : 'the template'} />
        </Box>
      </Box>
      <Part title="Variables">
        <VariablesTable content={served(version)} />
      </Part>
      <VersionFields {...shortest(content)} />
      {version.tags.length > 0 && (
        <Part title="Tags">
          <Tags tags={version.tags} shown={50} />
        </Part>
      )}
    </Stack>
  );
};

const LIBRARIES = optionsOf<Library>({
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  'ai-sdk': 'AI SDK (TypeScript)',
});

/** A way to fetch, and the version that it gets now. */
type Way = readonly [text: string, choice: Choice, fetched: string];

/** Code snippets that fetch this prompt. */
const Snippets = ({ prompt, version }: { prompt: Prompt; version: Version }) => {
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
      <Muted>
        The clients read <code>CUEVAULT_URL={config.apiUrl}</code> and <code>CUEVAULT_API_KEY</code> from the
        environment. The id of this prompt is <code>{prompt.promptId}</code>{' '}
        <CopyIcon text={prompt.promptId} label="the id" />
      </Muted>
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

const PublishAgainForm = byNeed(() => import('./publish-again-form.tsx'));

/** Downloads the file that `cuevault pull` writes for this version. */
const downloadFile = async (name: string, version: Version): Promise<void> => {
  const { filePathOf, printPromptFile, SUFFIX } = await lazyImport(
    () => import('../../../../../contract/content/file/prompt-file.ts'),
  );
  const text = printPromptFile({ content: authored(version), description: version.note });
  const path = filePathOf(name) ?? `prompt${SUFFIX}`;
  download(path.slice(path.lastIndexOf('/') + 1), 'text/plain;charset=utf-8', text);
};

const VersionMenu = ({ prompt, version }: VersionProps) => {
  const can = useCan();
  const leadOn = useLeadOn();
  const { promptId } = prompt;
  const publishAgain = () =>
    openDialog({
      title: `Publish ${version.version} again`,
      size: '56rem',
      content: <PublishAgainForm prompt={prompt} version={version} />,
    });
  const isLatest = version.version === prompt.latest;
  const confirmDeletion = () =>
    confirmByName({
      title: `Delete version ${version.version}`,
      name: version.version,
      verb: 'Delete',
      action: async (confirmed) => {
        await deleteVersion(promptId, version.version, confirmed);
        await leadOn(promptPage(promptId));
      },
      done: `Version ${version.version} is deleted.`,
      affected: (
        <Losing
          change={{ promptId, version: version.version, latest: isLatest }}
          outcome={
            isLatest
              ? 'get an error, or the next lower version if they name none'
              : 'get an error on the next fetch'
          }
        />
      ),
      text: `Version ${version.version} is deleted permanently and its number is never used again. Callers that ask for this version get an error.`,
    });
  return (
    <MoreMenu
      variant="default"
      size={26}
      label={`Actions for version ${version.version}`}
      items={{
        'Download as .prompt': () => downloadFile(prompt.name, version).catch(notifyFailure),
        'Point a label here': can('editor') && (() => openLabelForm({ promptId, version: version.version })),
        'Publish again as a new version': can('editor') && publishAgain,
      }}
      dangers={{ 'Delete this version': can('editor') && confirmDeletion }}
    />
  );
};
