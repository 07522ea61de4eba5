import { Alert, Box, Button, Flex, Group, Stack, Text } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type PropsWithChildren, useRef, useState } from 'react';
import { liveVersion } from '../../../../contract/content/live.ts';
import { visible } from '../../../../contract/content/visible.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { useCan } from '../../api/session-context.tsx';
import { ButtonLink, KeyLink, Links, Panel, RowButton, Small, When } from '../../components/basics.tsx';
import { CopyIcon } from '../../components/code-block.tsx';
import { DeleteMenu } from '../../components/confirm-by-name.tsx';
import { counted } from '../../components/locale.ts';
import { MoreMenu } from '../../components/more-menu.tsx';
import { Screen } from '../../components/screen.tsx';
import { NotFound, QueryBoundary } from '../../components/states.tsx';
import { MissingPrompt } from './deleted-prompts.tsx';
import { confirmDiscard } from './drafts/discard-draft.ts';
import { Losing } from './impact/impact-panel.tsx';
import { LabelBadge, useProtection, VersionBadges, VersionLink } from './labels/label-badge.tsx';
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
  discardDraft,
  type Prompt,
  type PromptDetails,
  promptQuery,
  versionsQuery,
} from './prompt-queries.ts';
import { VersionPanel } from './versions/version-panel.tsx';
import classes from './versions/versions-panel.module.css';

type LiveProps = Pick<PromptDetails, 'prompt' | 'moves'>;

/** What each label serves now, since when, and the ways to change it. */
const LivePanel = ({ prompt, moves }: LiveProps) => {
  const can = useCan();
  const { isProtected } = useProtection();
  const { promptId, labels, latest } = prompt;
  return (
    <Panel
      title="What is live"
      actions={
        can('editor') && <RowButton onClick={() => openLabelForm({ promptId })}>Set a label</RowButton>
      }
    >
      <ul className="cv-list">
        {productionFirst(labels).map((entry) => (
          <LabelEntry key={entry.label} {...{ ...entry, prompt, moves }} />
        ))}
        <LiveRow label="latest" version={latest} />
      </ul>
      {labels.some(({ label }) => isProtected(label)) && (
        <Small>Only administrators move a protected label. {NOT_COVERED}</Small>
      )}
    </Panel>
  );
};

const LiveRow = ({ children, ...live }: PropsWithChildren<Prompt['labels'][number]>) => (
  <Group component="li" gap={4} mih={30}>
    <span className="cv-grow">
      <LabelBadge label={live.label} />
    </span>
    <VersionLink {...live} />
    {children}
  </Group>
);

const LabelEntry = ({ label, version, prompt, moves }: LiveProps & Prompt['labels'][number]) => {
  const can = useCan();
  const { isProtected, refusalOf } = useProtection();
  const { promptId } = prompt;
  const refusal = refusalOf(label);
  const showHistory = () => openHistory({ promptId, label, version });
  const ifAllowed = (act: () => void) => can('editor') && (refusal ? null : act);
  const last = moves.find((move) => move.label === label);
  return (
    <LiveRow label={label} version={version}>
      <MoreMenu
        label={`Actions for the label ${label}`}
        refusal={can('editor') && refusal}
        items={{
          'Move to another version': ifAllowed(() => openLabelForm({ promptId, label })),
          History: showHistory,
          [isProtected(label) ? 'Remove the protection' : 'Protect']:
            can('admin') && (() => openProtection(label, isProtected(label))),
        }}
        dangers={{ Remove: ifAllowed(() => confirmRemoval(prompt, label, version)) }}
      />
      {last && (
        <Group gap={4} w="100%" justify="space-between">
          <Small>
            from <span className="cv-mono">{last.from}</span> <When at={last.at} short /> by {last.actor}
          </Small>
          <BackButton {...{ promptId, label, from: last.from }} />
        </Group>
      )}
    </LiveRow>
  );
};

/**
 * Why calls of the version on the screen fail, which, since when and from where, with the way back to the version before.
 */
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
    <Alert color="brick" mb="md" p="xs" aria-label="Failing calls">
      {reasons.map(([id, own], index) => {
        const { code, label, version, reason = '' } = own[0] ?? {};
        const last = moves.find((move) => move.label === label);
        const calls = own.reduce((sum, each) => sum + each.calls, 0);
        const [since = ''] = own.map((each) => each.since).sort();
        const keys = [...new Map(own.map((each) => [each.apiKeyId, each])).values()];
        // Served calls are counted exactly.
        const isServed = code === 'placeholder_left';
        const isFirst = reasons.findIndex(([, [each]]) => each?.label === label) === index;
        return (
          <Group key={id} justify="space-between" {...(index > 0 && { mt: 'xs' })}>
            <div style={{ flex: '1 1 16rem' }}>
              <Text fw={600}>{reason}.</Text>
              <Text size="xs">
                {isServed ? '' : 'at least '}
                {counted(calls, 'call')} for {label ?? 'the latest version'}
                {version && ` (${version})`} {isServed ? 'served with gaps' : 'failed'}
                {last && last.at <= since ? (
                  ' since it moved there'
                ) : (
                  <>
                    , first <When at={since} short />
                  </>
                )}{' '}
                ·{' '}
                <Links items={keys}>
                  {({ apiKeyId: keyId, apiKeyName, sourceIp }) => (
                    <>
                      <KeyLink keyId={keyId} name={apiKeyName} /> at{' '}
                      <span className="cv-mono">{sourceIp}</span>
                    </>
                  )}
                </Links>
              </Text>
            </div>
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
  const [isAll, showAll] = useState(false);
  const all = useQuery({ ...versionsQuery(prompt.promptId), enabled: isAll });
  const rows = all.data ?? versions;
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
                {row.fetches === 0 ? 'not fetched' : counted(row.fetches, 'fetch', 'fetches')}
              </Small>
            </Link>
          </li>
        ))}
      </Box>
      {cursor !== undefined && !all.data && (
        <Button
          variant="subtle"
          fullWidth
          loading={all.isFetching}
          onClick={() => (isAll ? void all.refetch() : showAll(true))}
        >
          {all.isError ? 'Try again' : 'Show all'}
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
        <Stack>
          <LivePanel {...found} />
          <VersionsPanel {...found} selected={version} />
        </Stack>
      </Box>
      <Box ref={panel} id={TEMPLATE_ID} tabIndex={-1} flex={1} miw={0} style={UNMARKED}>
        {isGone ? <NotFound what="version" /> : <VersionPanel prompt={prompt} version={version} />}
      </Box>
    </Flex>
  );
};

const Facts = ({ fetches, draft }: PromptDetails) => (
  <>
    {counted(fetches.count, 'fetch', 'fetches')} in {LIMITS.shownDays} days
    {fetches.lastAt && (
      <>
        , last <When at={fetches.lastAt} short />
      </>
    )}
    {draft && (
      <>
        {' '}
        · draft saved <When at={draft.savedAt} short /> by {draft.savedBy}
      </>
    )}
  </>
);

const Actions = ({ prompt, draft }: PromptDetails) => {
  const can = useCan();
  const { promptId } = prompt;
  const navigate = useNavigate();
  const { refusalOf } = useProtection();
  const duplicate = () => navigate({ to: '/prompts/new', search: { from: prompt.promptId } });
  const refused = prompt.labels.find(({ label }) => refusalOf(label) !== undefined);
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
          <DeleteMenu
            kind="prompt"
            refusal={
              refused && `Only administrators can delete a prompt with the protected label ${refused.label}.`
            }
            name={prompt.name}
            remove={(confirmed) => deletePrompt(prompt.promptId, confirmed)}
            list={{ to: '/prompts' }}
            affected={
              <Losing change={{ promptId: prompt.promptId }} outcome="get an error on the next fetch" />
            }
            text={
              <>
                <strong style={{ whiteSpace: 'pre-wrap' }}>{prompt.name}</strong> is deleted with its{' '}
                {counted(prompt.versions, 'version')}, and callers that fetch it get an error. It can be
                restored for {LIMITS.restoreDays} days.
              </>
            }
            items={{
              Duplicate: duplicate,
              'Discard the draft':
                draft !== null &&
                (() => confirmDiscard(prompt.name, draft, () => discardDraft(prompt.promptId, draft.rev))),
            }}
          />
        </>
      )}
    </>
  );
};
