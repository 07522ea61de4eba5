import { Group, Text } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef } from 'react';
import { LIMITS } from '../../../../contract/limits.ts';
import { liveVersion } from '../../../../contract/live.ts';
import { useRole } from '../../api/session-context.tsx';
import { CopyIcon } from '../../components/code/copy-button.tsx';
import { counted } from '../../components/count.ts';
import { IconChartBar, IconPlus } from '../../components/icons.tsx';
import { Screen } from '../../components/layout/screen.tsx';
import { SkipLink } from '../../components/layout/skip-link.tsx';
import { ButtonLink } from '../../components/link.tsx';
import { NotFound, QueryBoundary } from '../../components/states.tsx';
import { Tags } from '../../components/tags.tsx';
import { When } from '../../components/when.tsx';
import { DraftNotice } from './drafts/draft-notice.tsx';
import { FailingCalls, LiveStrip } from './labels/live-strip.tsx';
import { FolderTrail } from './list/folders.tsx';
import { MissingPrompt } from './missing-prompt.tsx';
import { PromptMenu } from './prompt-menu.tsx';
import { type PromptDetails, promptQuery } from './prompt-queries.ts';
import classes from './prompt-screen.module.css';
import { VersionPanel } from './versions/version-panel.tsx';
import { VersionsPanel } from './versions/versions-panel.tsx';

const TEMPLATE_ID = 'template';
const ONE_COLUMN = '(max-width: 62em)';

const route = getRouteApi('/prompts/$promptId');

/** One prompt: what is live, its versions, the one that is selected. */
export const PromptScreen = () => {
  const { promptId } = route.useParams();
  const { version } = route.useSearch();
  const query = useQuery(promptQuery(promptId, version));
  return (
    <QueryBoundary query={query} missing={<MissingPrompt promptId={promptId} />}>
      {(found) => (
        <Screen
          title={found.prompt.name}
          above={
            <>
              <SkipLink to={TEMPLATE_ID} what="the template" />
              <FolderTrail name={found.prompt.name} />
            </>
          }
          beside={<CopyIcon text={found.prompt.name} label="the name" />}
          subtitle={<Facts {...found} />}
          actions={<Actions {...found} />}
        >
          <FailingCalls {...found} />
          {found.draft && <DraftNotice prompt={found.prompt} draft={found.draft} />}
          <LiveStrip {...found} />
          <Versions found={found} isNew={!query.isFetching} />
        </Screen>
      )}
    </QueryBoundary>
  );
};

const Versions = ({ found, isNew }: { found: PromptDetails; isNew: boolean }) => {
  const { prompt, versions, cursor } = found;
  const { version = liveVersion(prompt) } = route.useSearch();
  // Somebody else can have deleted one that is still in the cache.
  const isGone = isNew && cursor === undefined && !versions.some((row) => row.version === version);
  const panel = useRef<HTMLDivElement>(null);
  // In one column, the version is below the list.
  useDidUpdate(() => {
    if (window.matchMedia(ONE_COLUMN).matches) panel.current?.scrollIntoView({ block: 'start' });
  }, [version]);
  return (
    <div className={classes.columns}>
      <aside className={classes.side}>
        <VersionsPanel {...found} selected={version} />
      </aside>
      <div ref={panel} id={TEMPLATE_ID} tabIndex={-1} className={classes.version}>
        {isGone ? <NotFound what="version" /> : <VersionPanel prompt={prompt} version={version} />}
      </div>
    </div>
  );
};

const Facts = ({ prompt, fetches }: PromptDetails) => (
  <Group gap="xs">
    <Group gap={4} wrap="nowrap">
      <span className="cv-mono cv-break">{prompt.promptId}</span>
      <CopyIcon text={prompt.promptId} label="the id" />
    </Group>
    <Text span>
      {counted(fetches.count, 'fetch', 'fetches')} in {LIMITS.shownDays} days
      {fetches.lastAt && (
        <>
          , last <When at={fetches.lastAt} short />
        </>
      )}
    </Text>
    <Tags tags={prompt.tags} shown={8} />
  </Group>
);

const Actions = ({ prompt, draft }: PromptDetails) => {
  const { can } = useRole();
  const { promptId } = prompt;
  return (
    <>
      <ButtonLink
        to="/prompts/$promptId/usage"
        params={{ promptId }}
        variant="default"
        leftSection={<IconChartBar size={15} />}
      >
        Usage and history
      </ButtonLink>
      {can('editor') && (
        <>
          <ButtonLink
            to="/prompts/$promptId/new-version"
            params={{ promptId }}
            leftSection={<IconPlus size={15} />}
          >
            {draft ? 'Continue the draft' : 'New version'}
          </ButtonLink>
          <PromptMenu prompt={prompt} />
        </>
      )}
    </>
  );
};
