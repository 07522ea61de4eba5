import { Group, SegmentedControl, Tabs, Text, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { auditList } from '../../../../../contract/endpoints/service.ts';
import { listQuery } from '../../../api/queries.ts';
import { promptPage, TextLink, When } from '../../../components/basics.tsx';
import { counted } from '../../../components/locale.ts';
import { Breakable, Screen } from '../../../components/screen.tsx';
import { type Column, ListTable, pagesOf } from '../../../components/tables/data-table.tsx';
import { Choice, useFilter } from '../../../components/tables/filters.tsx';
import { CompareLink } from '../labels/label-badge.tsx';
import { BackButton } from '../labels/label-dialogs.tsx';
import { LATEST, PRODUCTION, suggestedFor } from '../labels/label-names.ts';
import { PROMPTS_KEY, promptListQuery } from '../prompt-queries.ts';
import { type LiveMove, liveMoves } from './live-moves.ts';

const route = getRouteApi('/prompts/live');

const HOUR_MS = 3_600_000;
const PERIODS = [
  { value: 'hour', label: 'Last hour', hours: 1 },
  { value: 'day', label: '24 hours', hours: 24 },
  { value: 'week', label: '7 days', hours: 168 },
  { value: 'month', label: '30 days', hours: 720 },
] as const;

type Period = (typeof PERIODS)[number]['value'];

/** The entries of the audit log in which a label can move, in a period that ends now. */
const useMoves = (label: string, since: Period) => {
  const query = useMemo(() => {
    const hours = PERIODS.find(({ value }) => value === since)?.hours ?? 720;
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
  const moves = useMoves(label, since ?? 'month');
  const found = liveMoves(
    pagesOf(moves).flatMap(({ entries }) => entries),
    label,
  );
  const prompts = useInfiniteQuery(promptListQuery({ view: 'all', ...(label !== LATEST && { label }) }));
  const pages = pagesOf(prompts);
  const served = pages
    .flatMap((page) => page.prompts)
    .map(({ promptId, name, latest, labels }) => ({
      promptId,
      name,
      latest,
      isLast: true,
      ...found.find((move) => move.promptId === promptId),
      to: labels.find((one) => one.label === label)?.version ?? latest,
    }));
  const labels = suggestedFor(pages.flatMap((page) => page.labels));
  const columns = columnsOf(label);
  return (
    <Screen
      subtitle={
        pages[0]?.total !== undefined && <span role="status">{counted(pages[0].total, 'prompt')}</span>
      }
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
      <Tabs
        value={since ? 'moves' : 'now'}
        onChange={(tab) => set({ since: tab === 'moves' ? 'week' : null })}
        keepMounted={false}
      >
        <Tabs.List mb="sm">
          <Tabs.Tab value="now">Live now</Tabs.Tab>
          <Tabs.Tab value="moves">Moves</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="now">
          <ListTable<Row>
            label={`Served by ${label}`}
            columns={columns}
            rows={served}
            rowKey={({ promptId }) => promptId}
            list={prompts}
            empty={<Text c="dimmed">No prompt has this label.</Text>}
          />
        </Tabs.Panel>
        <Tabs.Panel value="moves">
          <SegmentedControl
            mb="sm"
            aria-label="Period"
            value={since ?? ''}
            onChange={(next) => set({ since: next })}
            data={PERIODS.map(({ value, label: text }) => ({ value, label: text }))}
          />
          <ListTable<Row>
            label={`Changes of ${label}`}
            columns={columns}
            rows={found}
            rowKey={({ promptId, at }) => `${at} ${promptId}`}
            list={moves}
            empty={<Text c="dimmed">Nothing moved in this period.</Text>}
          />
        </Tabs.Panel>
      </Tabs>
    </Screen>
  );
};

interface Row extends LiveMove {
  /** The latest version, if it can be compared with what is served. */
  readonly latest?: string;
}

const Actions = ({ row: { promptId, from, to, isLast, latest }, label }: { row: Row; label: string }) => {
  if (to === undefined) return null;
  const [older, newer] = from ? [from, to] : [to, latest ?? to];
  return (
    <Group>
      {older !== newer && (
        <CompareLink {...{ promptId, from: older, to: newer }}>
          {from ? 'Compare' : `Compare with ${newer}`}
        </CompareLink>
      )}
      {isLast && from && <BackButton {...{ promptId, label, from }} />}
    </Group>
  );
};

const columnsOf = (label: string): readonly Column<Row>[] => [
  {
    title: 'Prompt',
    cell: ({ promptId, name, to }) => (
      <TextLink {...promptPage(promptId, name)} search={to === undefined ? {} : { version: to }}>
        <Breakable text={name} />
      </TextLink>
    ),
  },
  {
    title: 'Version',
    width: '9rem',
    visibleFrom: 'sm',
    below: true,
    cell: ({ from, to = 'removed' }) => <span className="cv-mono">{from ? `${from} → ${to}` : to}</span>,
  },
  {
    title: 'Since',
    width: '21rem',
    visibleFrom: 'sm',
    below: true,
    cell: ({ at, actor }) =>
      at && (
        <>
          <When at={at} short /> by <span className="cv-break">{actor}</span>
        </>
      ),
  },
  {
    title: 'Actions',
    head: <VisuallyHidden>Actions</VisuallyHidden>,
    width: '13rem',
    visibleFrom: 'sm',
    below: true,
    cell: (row) => <Actions row={row} label={label} />,
  },
];
