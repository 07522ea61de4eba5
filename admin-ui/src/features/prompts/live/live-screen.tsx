import { Group, SegmentedControl } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { auditList } from '../../../../../contract/endpoints/service.ts';
import { listQuery } from '../../../api/queries.ts';
import { Muted, promptPage, TextLink, When } from '../../../components/basics.tsx';
import { counted } from '../../../components/locale.ts';
import { Breakable, Screen } from '../../../components/screen.tsx';
import { type Column, ListTable, pagesOf } from '../../../components/tables/data-table.tsx';
import { Choice, useFilter } from '../../../components/tables/filters.tsx';
import { Views } from '../../../components/views.tsx';
import { CompareLink } from '../labels/label-badge.tsx';
import { BackButton } from '../labels/label-dialogs.tsx';
import { LATEST, PRODUCTION, suggestedFor } from '../labels/label-names.ts';
import { PROMPTS_KEY, type PromptRow, promptListQuery } from '../prompt-queries.ts';
import { type LiveMove, liveMoves } from './live-moves.ts';

const route = getRouteApi('/prompts/live');

const HOUR_MS = 3_600_000;
/** The name of each period, and its length in hours. */
const PERIODS = {
  hour: ['Last hour', 1],
  day: ['24 hours', 24],
  week: ['7 days', 168],
  month: ['30 days', 720],
} as const;

type Period = keyof typeof PERIODS;

/** The entries of the audit log in which a label can move, in a period that ends now. */
const useMoves = (label: string, since: Period) => {
  const query = useMemo(() => {
    const [, hours] = PERIODS[since];
    const action = label === LATEST ? 'version.publish' : 'label';
    const from = new Date(Date.now() - hours * HOUR_MS).toISOString();
    return listQuery([...PROMPTS_KEY, 'live', action, from], auditList, {
      query: { kind: 'change', action, from },
    });
  }, [label, since]);
  return useInfiniteQuery(query);
};

/** What a label serves in every prompt; in a tab beside it, what moved when, and by whom. */
export const LiveScreen = () => {
  const { label = PRODUCTION, since } = route.useSearch();
  const set = useFilter();
  const prompts = useInfiniteQuery(
    promptListQuery({ view: 'all', label: label === LATEST ? undefined : label }),
  );
  const pages = pagesOf(prompts);
  const served = pages
    .flatMap((page) => page.prompts)
    .map((row) => ({ ...row, to: row.labels.find((one) => one.label === label)?.version ?? row.latest }));
  const labels = suggestedFor(pages.flatMap((page) => page.labels));
  const [{ total } = {}] = pages;
  return (
    <Screen
      subtitle={total !== undefined && <span role="status">{counted(total, 'prompt')}</span>}
      actions={
        <Choice
          name="label"
          label="Label"
          clearable={false}
          options={[...labels, { value: LATEST, label: 'no label: the latest' }]}
          value={label}
        />
      }
    >
      <Views
        value={since ? 'moves' : 'now'}
        onChange={(tab) => set({ since: tab === 'moves' ? 'week' : null })}
        of={{
          now: [
            'Live now',
            () => (
              <ListTable
                label={`Served by ${label}`}
                columns={SERVED_COLUMNS}
                rows={served}
                rowKey="promptId"
                list={prompts}
                empty={<Muted>No prompt has this label.</Muted>}
              />
            ),
          ],
          moves: ['Moves', () => since && <Moves label={label} since={since} />],
        }}
      />
    </Screen>
  );
};

const Moves = ({ label, since }: { label: string; since: Period }) => {
  const set = useFilter();
  const list = useMoves(label, since);
  return (
    <>
      <SegmentedControl
        mb="sm"
        aria-label="Period"
        value={since}
        onChange={(next) => set({ since: next })}
        data={Object.entries(PERIODS).map(([value, [text]]) => ({ value, label: text }))}
      />
      <ListTable
        label={`Changes of ${label}`}
        columns={moveColumns(label)}
        rows={liveMoves(
          pagesOf(list).flatMap(({ entries }) => entries),
          label,
        )}
        rowKey={({ promptId, at }) => `${at} ${promptId}`}
        list={list}
        empty={<Muted>Nothing moved in this period.</Muted>}
      />
    </>
  );
};

const PROMPT: Column<Pick<LiveMove, 'promptId' | 'name' | 'to'>> = {
  title: 'Prompt',
  cell: ({ promptId, name, to }) => (
    <TextLink {...promptPage(promptId, name)} search={to === undefined ? {} : { version: to }}>
      <Breakable text={name} />
    </TextLink>
  ),
};

const SERVED_COLUMNS: readonly Column<PromptRow & { readonly to: string }>[] = [
  PROMPT,
  {
    title: 'Version',
    below: true,
    cell: ({ to }) => <span className="cv-mono">{to}</span>,
  },
  {
    title: 'Latest',
    below: true,
    cell: ({ promptId, to: from, latest: to }) =>
      from !== to && <CompareLink {...{ promptId, from, to }}>Compare with {to}</CompareLink>,
  },
];

const moveColumns = (label: string): readonly Column<LiveMove>[] => [
  PROMPT,
  {
    title: 'Version',
    below: true,
    cell: ({ from, to = 'removed' }) => <span className="cv-mono">{from ? `${from} → ${to}` : to}</span>,
  },
  {
    title: 'When',
    below: true,
    cell: ({ at, actor }) => (
      <>
        <When at={at} short /> by <span className="cv-break">{actor}</span>
      </>
    ),
  },
  {
    title: 'Actions',
    below: true,
    cell: ({ promptId, from, to, isLast }) =>
      from &&
      to && (
        <Group>
          <CompareLink {...{ promptId, from, to }}>Compare</CompareLink>
          {isLast && <BackButton {...{ promptId, label, from }} />}
        </Group>
      ),
  },
];
