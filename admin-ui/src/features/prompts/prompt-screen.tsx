import { Alert, Box, Button, Flex, Group, Menu, Text } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Fragment, useRef } from 'react';
import { liveVersion } from '../../../../contract/content/live.ts';
import { visible } from '../../../../contract/content/visible.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { useRole } from '../../api/session-context.tsx';
import { ButtonLink, KeyLink, Panel, RowButton, Small, Tags, When } from '../../components/basics.tsx';
import { CopyIcon } from '../../components/code-block.tsx';
import { DeleteMenu } from '../../components/confirm-by-name.tsx';
import { counted } from '../../components/locale.ts';
import { MenuRefusal, MoreMenu } from '../../components/more-menu.tsx';
import { Screen } from '../../components/screen.tsx';
import { NotFound, QueryBoundary } from '../../components/states.tsx';
import { pagesOf } from '../../components/tables/data-table.tsx';
import { MissingPrompt } from './deleted-prompts.tsx';
import { DraftNotice } from './drafts/draft-notice.tsx';
import { Losing } from './impact/impact-panel.tsx';
import { CompareLink, LabelBadge, useProtection, VersionBadges, VersionLink } from './labels/label-badge.tsx';
import {
  BackButton,
  confirmRemoval,
  NOT_COVERED,
  openHistory,
  openLabelForm,
  openProtection,
} from './labels/label-dialogs.tsx';
import { productionFirst } from './labels/label-names.ts';
import { FolderTrail } from './list/folders.tsx';
import {
  deletePrompt,
  moreVersionsQuery,
  type Prompt,
  type PromptDetails,
  promptQuery,
} from './prompt-queries.ts';
import { VersionPanel } from './versions/version-panel.tsx';
import classes from './versions/versions-panel.module.css';

type LiveProps = Pick<PromptDetails, 'prompt' | 'moves'>;

/** What each label serves now, since when, and the ways to change it. */
const LiveStrip = ({ prompt, moves }: LiveProps) => {
  const { can } = useRole();
  const { isProtected, mayMove } = useProtection();
  const { promptId, labels, latest } = prompt;
  const live = liveVersion(prompt);
  const sorted = productionFirst(labels);
  const [first] = sorted;
  return (
    <Group component="section" aria-label="What is live" gap="0.6rem 1.5rem" mb="md" align="flex-start">
      <Text fw={600} lh="30px">
        Live
      </Text>
      <Group component="ul" className="cv-list" gap="0.6rem 1.5rem" align="flex-start">
        {sorted.map((entry) => (
          <LabelEntry key={entry.label} {...{ ...entry, prompt, moves }} />
        ))}
        <Group component="li" gap={4} mih={30}>
          <LabelBadge label="latest" />
          <VersionLink version={latest} label="latest" />
        </Group>
      </Group>
      <Group mih={30}>
        {live !== latest && (
          <CompareLink {...{ promptId, from: live, to: latest }}>
            Compare {live} with {latest}
          </CompareLink>
        )}
        {first && prompt.versions > 1 && mayMove(first.label) && (
          <RowButton onClick={() => openLabelForm({ promptId, label: first.label })}>
            Move {first.label}
          </RowButton>
        )}
        {can('editor') && <RowButton onClick={() => openLabelForm({ promptId })}>Set a label</RowButton>}
      </Group>
      {labels.some(({ label }) => isProtected(label)) && (
        <Small w="100%">Only administrators move a protected label. {NOT_COVERED}</Small>
      )}
    </Group>
  );
};

const LabelEntry = ({ label, version, prompt, moves }: LiveProps & Prompt['labels'][number]) => {
  const { can } = useRole();
  const { isProtected, refusalOf } = useProtection();
  const { promptId } = prompt;
  const refusal = refusalOf(label);
  const last = moves.find((move) => move.label === label);
  return (
    <li>
      <Group gap={4} wrap="nowrap">
        <LabelBadge label={label} />
        <VersionLink version={version} label={label} />
        <MoreMenu label={`Actions for the label ${label}`}>
          {can('editor') && refusal && <MenuRefusal>{refusal}</MenuRefusal>}
          {can('editor') && (
            <Menu.Item disabled={refusal !== undefined} onClick={() => openLabelForm({ promptId, label })}>
              Move to another version
            </Menu.Item>
          )}
          <Menu.Item onClick={() => openHistory({ promptId, label, version })}>History</Menu.Item>
          {can('admin') && (
            <Menu.Item onClick={() => openProtection(label, isProtected(label))}>
              {isProtected(label) ? 'Remove the protection' : 'Protect'}
            </Menu.Item>
          )}
          {can('editor') && (
            <Menu.Item
              color="var(--mantine-color-error)"
              disabled={refusal !== undefined}
              onClick={() => confirmRemoval(prompt, label, version)}
            >
              Remove
            </Menu.Item>
          )}
        </MoreMenu>
      </Group>
      {last && (
        <Group gap={4}>
          <Small>
            from <span className="cv-mono">{last.from}</span> <When at={last.at} short /> by {last.actor}
          </Small>
          <BackButton {...{ promptId, label, from: last.from }} />
        </Group>
      )}
    </li>
  );
};

/** Keys that are named for one reason. */
const NAMED_KEYS = 3;

/** Which calls of the version on the screen fail since when, why and from where, with the way back to the version before. */
const FailingCalls = ({
  found: { prompt, failing, moves },
  selected,
}: {
  found: PromptDetails;
  selected: string;
}) => {
  const shown = failing.filter(({ version }) => version === undefined || version === selected);
  if (shown.length === 0) return null;
  const reasons = [...Map.groupBy(shown, ({ code, reason, label }) => JSON.stringify([code, reason, label]))];
  return (
    <Alert color="brick" mb="md" p="xs" title="Calls fail">
      {reasons.map(([id, own], index) => {
        const { code, label, version, reason = '' } = own[0] ?? {};
        const last = moves.find((move) => move.label === label);
        const calls = own.reduce((sum, each) => sum + each.calls, 0);
        const [since = ''] = own.map((each) => each.since).sort();
        const moved = last && last.at <= since;
        const keys = [...new Map(own.map((each) => [each.apiKeyId, each])).values()];
        // Served calls are counted exactly.
        const isServed = code === 'placeholder_left';
        const isFirst = reasons.findIndex(([, [each]]) => each?.label === label) === index;
        const asked = label ? `the label ${label}` : 'the latest version';
        return (
          <Group key={id} justify="space-between">
            <Text style={{ flex: '1 1 16rem' }}>
              {isServed ? '' : 'At least '}
              {counted(calls, 'call')} for {version ? `${version}, by ${asked},` : asked}{' '}
              {isServed ? `${calls === 1 ? 'was' : 'were'} served with gaps` : 'failed'}
              {moved ? ` since ${label} moved to ${version}` : ', first '}
              {!moved && <When at={since} short />}, from{' '}
              {keys.slice(0, NAMED_KEYS).map(({ apiKeyId: keyId, apiKeyName, sourceIp }, index) => (
                <Fragment key={keyId}>
                  {index > 0 && ', '}key <KeyLink keyId={keyId} name={apiKeyName} /> at{' '}
                  <span className="cv-mono">{sourceIp}</span>
                </Fragment>
              ))}
              {keys.length > NAMED_KEYS && ` and ${counted(keys.length - NAMED_KEYS, 'other key')}`}: {reason}
              .
            </Text>
            {last && isFirst && (
              <BackButton {...{ promptId: prompt.promptId, label: last.label, from: last.from }} isUrgent />
            )}
          </Group>
        );
      })}
    </Alert>
  );
};

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
              {row.note && <Text lineClamp={2}>{visible(row.note)}</Text>}
              <Small>
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
    <QueryBoundary query={query} frame={{}} missing={<MissingPrompt promptId={promptId} />}>
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
