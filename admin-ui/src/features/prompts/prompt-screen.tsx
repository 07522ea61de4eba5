import { Box, Button, Flex, Group, Menu, Text } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { liveVersion } from '../../../../contract/content/live.ts';
import { visible } from '../../../../contract/content/visible.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { useRole } from '../../api/session-context.tsx';
import { CopyIcon } from '../../components/code/code-block.tsx';
import { DeleteMenu } from '../../components/dialogs/confirm-by-name.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { Screen } from '../../components/layout/screen.tsx';
import { ButtonLink } from '../../components/link.tsx';
import { counted } from '../../components/locale.ts';
import { Small, When } from '../../components/small.tsx';
import { NotFound, QueryBoundary } from '../../components/states.tsx';
import { pagesOf } from '../../components/tables/data-table.tsx';
import { Tags } from '../../components/tags.tsx';
import { DraftNotice } from './drafts/draft-notice.tsx';
import { Losing } from './impact/impact-panel.tsx';
import { useProtection, VersionBadges } from './labels/label-badge.tsx';
import { FailingCalls, LiveStrip } from './labels/live-strip.tsx';
import { FolderTrail } from './list/folders.tsx';
import { MissingPrompt } from './missing-prompt.tsx';
import {
  deletePrompt,
  moreVersionsQuery,
  type Prompt,
  type PromptDetails,
  promptQuery,
} from './prompt-queries.ts';
import { VersionPanel } from './versions/version-panel.tsx';
import classes from './versions/versions-panel.module.css';

/** The versions, highest first; each is a link that selects it. */
const VersionsPanel = ({ selected, ...found }: PromptDetails & { selected: string }) => {
  const { prompt, versions, cursor } = found;
  const more = useInfiniteQuery(moreVersionsQuery(prompt.promptId, cursor));
  const rows = [...versions, ...pagesOf(more).flatMap((page) => page.versions)];
  return (
    <Panel title="Versions" count={prompt.versions}>
      <Box
        component="ol"
        className="cv-list"
        mx="-0.5rem"
        mah={{ base: '17rem', md: 'none' }}
        style={{ overflowY: 'auto' }}
      >
        {rows.map((row) => (
          <li key={row.version}>
            <Link
              from="/prompts/$promptId"
              to="."
              search={(search) => ({ ...search, version: row.version })}
              resetScroll={false}
              className={classes.link ?? ''}
              aria-current={row.version === selected ? 'true' : undefined}
            >
              <Group gap={6}>
                <VersionBadges {...row} isLatest={row.version === prompt.latest} />
              </Group>
              {row.note && (
                <Text lineClamp={2} className="cv-break">
                  {visible(row.note)}
                </Text>
              )}
              <Small className="cv-break">
                <When at={row.publishedAt} short /> ·{' '}
                {row.fetches === 0 ? 'not fetched' : counted(row.fetches, 'fetch', 'fetches')} ·{' '}
                {row.publishedBy}
              </Small>
            </Link>
          </li>
        ))}
      </Box>
      {(more.data ? more.hasNextPage : cursor !== undefined) && (
        <Button
          variant="subtle"
          fullWidth
          loading={more.isFetching}
          onClick={() => void more.fetchNextPage()}
        >
          {more.isError ? 'Try again' : 'Show more'}
        </Button>
      )}
    </Panel>
  );
};

const TEMPLATE_ID = 'template';
const ONE_COLUMN = '(max-width: 62em)';

// The padding leaves room for the outline of what has the focus.
const SIDE = { p: '0.25rem', m: '-0.25rem', style: { flexShrink: 0, overflowY: 'auto' } } as const;
const UNMARKED = { outline: 'none', scrollMarginTop: '3.5rem' };

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
              <a href={`#${TEMPLATE_ID}`} className="cv-skip">
                Skip to the template
              </a>
              <FolderTrail name={found.prompt.name} />
            </>
          }
          beside={<CopyIcon text={found.prompt.name} label="the name" />}
          subtitle={<Facts {...found} />}
          actions={<Actions {...found} />}
        >
          <FailingCalls found={found} selected={version ?? liveVersion(found.prompt)} />
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
    <Flex direction={{ base: 'column-reverse', md: 'row' }} gap="1rem" align={{ md: 'flex-start' }}>
      <Box
        component="aside"
        pos={{ md: 'sticky' }}
        top={0}
        w={{ md: '19.5rem' }}
        mah={{ md: '100dvh' }}
        {...SIDE}
      >
        <VersionsPanel {...found} selected={version} />
      </Box>
      <Box ref={panel} id={TEMPLATE_ID} tabIndex={-1} flex={1} miw={0} style={UNMARKED}>
        {isGone ? <NotFound what="version" /> : <VersionPanel prompt={prompt} version={version} />}
      </Box>
    </Flex>
  );
};

const Facts = ({ prompt, fetches }: PromptDetails) => (
  <Group>
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
      <ButtonLink to="/prompts/$promptId/usage" params={{ promptId }} variant="default">
        Usage and history
      </ButtonLink>
      {can('editor') && (
        <>
          <ButtonLink to="/prompts/$promptId/new-version" params={{ promptId }}>
            {draft ? 'Continue the draft' : 'New version'}
          </ButtonLink>
          <PromptMenu prompt={prompt} />
        </>
      )}
    </>
  );
};

const PromptMenu = ({ prompt }: { prompt: Prompt }) => {
  const navigate = useNavigate();
  const { refusalOf } = useProtection();
  const refused = prompt.labels.find(({ label }) => refusalOf(label) !== undefined);
  return (
    <DeleteMenu
      kind="prompt"
      {...(refused && {
        refusal: `Only administrators can delete a prompt with the protected label ${refused.label}.`,
      })}
      name={prompt.name}
      remove={(confirmed) => deletePrompt(prompt.promptId, confirmed)}
      leave={() => navigate({ to: '/prompts' })}
      affected={<Losing change={{ promptId: prompt.promptId }} outcome="get an error on the next fetch" />}
      text={
        <>
          <strong style={{ whiteSpace: 'pre-wrap' }}>{prompt.name}</strong> is deleted with its{' '}
          {counted(prompt.versions, 'version')}, and callers that fetch it get an error. It can be restored
          for {LIMITS.restoreDays} days.
        </>
      }
    >
      <Menu.Item onClick={() => void navigate({ to: '/prompts/new', search: { from: prompt.promptId } })}>
        Duplicate
      </Menu.Item>
    </DeleteMenu>
  );
};
