import { Anchor, Badge, Group, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { visible } from '../../../../../contract/content/visible.ts';
import { useSession } from '../../../api/session-context.tsx';
import { byNeed } from '../../../components/by-need.tsx';
import { counted } from '../../../components/count.ts';
import { Panel } from '../../../components/layout/panel.tsx';
import { TextLink } from '../../../components/link.tsx';
import { served } from '../../../components/prompt-content.ts';
import { NotFound, QueryBoundary } from '../../../components/states.tsx';
import { When } from '../../../components/when.tsx';
import { LabelBadge } from '../labels/label-badge.tsx';
import { type Prompt, type Version, type VersionRow, versionQuery } from '../prompt-queries.ts';
import { TryIt } from '../try-it/try-it-by-need.tsx';
import { ChatBadge } from './chat-badge.tsx';
import { sourceUrl } from './source-url.ts';
import { VersionActions } from './version-actions.tsx';
import { VersionContent } from './version-content.tsx';

/** Repository, commit and path of the file that a version was published from. */
const VersionSource = ({ source }: { readonly source: NonNullable<Version['source']> }) => {
  const { repository, commit, path } = source;
  const { sourceHosts } = useSession().config;
  const text = visible(`${repository} · ${path} at ${commit.slice(0, 7)}`);
  const url = sourceUrl(source, sourceHosts);
  return (
    <>
      {' from '}
      {url === undefined ? (
        text
      ) : (
        <Anchor href={url} target="_blank" rel="noreferrer" underline="always" inherit>
          {text}
        </Anchor>
      )}
    </>
  );
};

const Snippets = byNeed('snippets', () => import('../try-it/snippets.tsx'));

const route = getRouteApi('/prompts/$promptId');

export interface VersionPanelProps {
  readonly prompt: Prompt;
  readonly versions: readonly VersionRow[];
  readonly version: string;
}

/** One version: its content, a form to try it, and how to fetch it. */
export const VersionPanel = ({ prompt, versions, version }: VersionPanelProps) => {
  const query = useQuery(versionQuery(prompt.promptId, version));
  const labels = prompt.labels.filter((entry) => entry.version === version);
  return (
    <Panel
      sticky
      title={
        <Group gap="xs" component="span">
          <span className="cv-mono">{version}</span>
          {version === prompt.latest && <Badge color="slate">latest</Badge>}
          {query.data?.type === 'chat' && <ChatBadge />}
          {labels.map(({ label }) => (
            <LabelBadge key={label} label={label} />
          ))}
        </Group>
      }
      actions={query.data && <VersionActions prompt={prompt} versions={versions} version={query.data} />}
    >
      <QueryBoundary query={query} missing={<NotFound what="version" />}>
        {(found) => (
          <Content
            version={found}
            prompt={prompt}
            fetches={versions.find((row) => row.version === version)?.fetches}
          />
        )}
      </QueryBoundary>
    </Panel>
  );
};

interface ContentProps {
  readonly version: Version;
  readonly prompt: Prompt;
  /** In 30 days, as far as known. */
  readonly fetches: number | undefined;
}

const Content = ({ version, prompt, fetches }: ContentProps) => {
  const { tab = 'template' } = route.useSearch();
  const navigate = route.useNavigate();
  const select = (next: string | null) =>
    void navigate({
      resetScroll: false,
      search: (search) => ({ ...search, tab: next as typeof tab }),
    });
  return (
    <>
      {version.note && (
        <Text size="md" mb={4} className="cv-break" style={{ whiteSpace: 'pre-wrap' }}>
          {visible(version.note)}
        </Text>
      )}
      <Text c="dimmed" mb="sm" className="cv-break">
        Published <When at={version.publishedAt} /> by {version.publishedBy}
        {version.source && <VersionSource source={version.source} />}
        {fetches !== undefined && fetches > 0 && (
          <>
            {' · '}
            <TextLink
              to="/prompts/$promptId/usage"
              params={{ promptId: prompt.promptId }}
              search={{ version: version.version }}
              underline="always"
            >
              {counted(fetches, 'fetch', 'fetches')} in 30 days
            </TextLink>
          </>
        )}
      </Text>
      <Tabs value={tab} onChange={select} keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="template">{version.type === 'chat' ? 'Messages' : 'Template'}</Tabs.Tab>
          <Tabs.Tab value="try">Try it</Tabs.Tab>
          <Tabs.Tab value="use">Use in code</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="template">
          <VersionContent version={version} />
        </Tabs.Panel>
        <Tabs.Panel value="try">
          <TryIt promptId={prompt.promptId} content={served(version)} />
        </Tabs.Panel>
        <Tabs.Panel value="use">
          <Snippets prompt={prompt} version={version} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
};
