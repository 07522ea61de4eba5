import { Group, Stack, Text } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { IconChartBar, IconPlus } from '@tabler/icons-react';
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef } from 'react';
import { useRole } from '../../api/session-context.tsx';
import { CopyIcon } from '../../components/code/copy-button.tsx';
import { counted } from '../../components/count.ts';
import { Panel } from '../../components/layout/panel.tsx';
import { Screen } from '../../components/layout/screen.tsx';
import { SkipLink } from '../../components/layout/skip-link.tsx';
import { ButtonLink } from '../../components/link.tsx';
import { NotFound, QueryBoundary } from '../../components/states.tsx';
import { Tags } from '../../components/tags.tsx';
import { When } from '../../components/when.tsx';
import { DraftNotice } from './drafts/draft-notice.tsx';
import { FailingCalls } from './labels/failing-calls.tsx';
import { LabelsPanel } from './labels/labels-panel.tsx';
import { LiveStrip, liveVersion } from './labels/live-strip.tsx';
import { FolderTrail } from './list/folders.tsx';
import { MissingPrompt } from './missing-prompt.tsx';
import { PromptMenu } from './prompt-menu.tsx';
import {
  eventsQuery,
  type PromptDetails,
  promptQuery,
  type VersionRow,
  versionsQuery,
} from './prompt-queries.ts';
import classes from './prompt-screen.module.css';
import { VersionPanel } from './versions/version-panel.tsx';
import { VersionsTimeline } from './versions/versions-timeline.tsx';

const TEMPLATE_ID = 'template';
const ONE_COLUMN = '(max-width: 62em)';

const route = getRouteApi('/prompts/$promptId');

/** One prompt: its versions, the one that is selected, its labels. */
export const PromptScreen = () => {
  const { promptId } = route.useParams();
  // What labels show need not wait for the prompt.
  usePrefetchQuery(eventsQuery(promptId));
  const details = useQuery(promptQuery(promptId));
  const versions = useQuery(versionsQuery(promptId));
  return (
    <QueryBoundary query={details} missing={<MissingPrompt promptId={promptId} />}>
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
          <QueryBoundary query={versions}>
            {(list) => <Versions details={found} versions={list} isNew={!versions.isFetching} />}
          </QueryBoundary>
        </Screen>
      )}
    </QueryBoundary>
  );
};

interface VersionsProps {
  readonly details: PromptDetails;
  readonly versions: readonly VersionRow[];
  /** Whether the list of versions is not being read again. */
  readonly isNew: boolean;
}

const Versions = ({ details, versions, isNew }: VersionsProps) => {
  const { version = liveVersion(details.prompt) } = route.useSearch();
  const isThere = !isNew || versions.some((row) => row.version === version);
  const panel = useRef<HTMLDivElement>(null);
  // In one column, the version is below the list.
  useDidUpdate(() => {
    if (window.matchMedia(ONE_COLUMN).matches) panel.current?.scrollIntoView({ block: 'start' });
  }, [version]);
  return (
    <>
      <FailingCalls {...details} versions={versions} />
      {details.draft && <DraftNotice prompt={details.prompt} draft={details.draft} />}
      <LiveStrip prompt={details.prompt} versions={versions} />
      <div className={classes.columns}>
        <Stack component="aside" className={classes.side}>
          <LabelsPanel prompt={details.prompt} versions={versions} />
          <Panel title="Versions" count={versions.length}>
            <VersionsTimeline versions={versions} selected={version} latest={details.prompt.latest} />
          </Panel>
        </Stack>
        <div ref={panel} id={TEMPLATE_ID} tabIndex={-1} className={classes.version}>
          {isThere ? (
            <VersionPanel prompt={details.prompt} versions={versions} version={version} />
          ) : (
            <NotFound what="version" />
          )}
        </div>
      </div>
    </>
  );
};

const Facts = ({ prompt, fetches }: PromptDetails) => (
  <Group gap="xs">
    <Group gap={4} wrap="nowrap">
      <span className="cv-mono cv-break">{prompt.promptId}</span>
      <CopyIcon text={prompt.promptId} label="the id" />
    </Group>
    <Text span>
      {counted(fetches.last7Days, 'fetch', 'fetches')} in 7 days
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
        leftSection={<IconChartBar size={15} aria-hidden />}
      >
        Usage and history
      </ButtonLink>
      {can('editor') && (
        <>
          <ButtonLink
            to="/prompts/$promptId/new-version"
            params={{ promptId }}
            leftSection={<IconPlus size={15} aria-hidden />}
          >
            {draft ? 'Continue the draft' : 'New version'}
          </ButtonLink>
          <PromptMenu prompt={prompt} />
        </>
      )}
    </>
  );
};
