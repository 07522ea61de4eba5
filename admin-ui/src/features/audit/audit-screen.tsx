import { ActionIcon, Checkbox, Group, MultiSelect, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { auditList } from '../../../../contract/endpoints/service.ts';
import { readAll } from '../../api/queries.ts';
import { AuditSubject } from '../../components/audit/audit-subject.tsx';
import { ACTION_GROUPS, verbOf } from '../../components/audit/audit-words.ts';
import { Breakable } from '../../components/breakable.tsx';
import { IconListDetails } from '../../components/icons.tsx';
import { KeyLink } from '../../components/layout/review-panel.tsx';
import { Screen } from '../../components/layout/screen.tsx';
import { TextLink } from '../../components/link.tsx';
import { Small } from '../../components/small.tsx';
import { Notice } from '../../components/states.tsx';
import { CsvButton } from '../../components/tables/csv-button.tsx';
import { type Column, ListTable } from '../../components/tables/data-table.tsx';
import { Choice, DayInput, Filters, SearchInput, useFilter } from '../../components/tables/filters.tsx';
import { pagesOf } from '../../components/tables/list-body.tsx';
import { DayText, When } from '../../components/when.tsx';
import { AuditDetails } from './audit-details.tsx';
import { type AuditEntry, auditQuery, queryOf } from './audit-queries.ts';
import { Sealed } from './audit-sealed.tsx';
import { PERIODS, periodOf, timesOf } from './audit-times.ts';

const route = getRouteApi('/audit');

const KINDS = [
  { value: 'change', label: 'Changes' },
  { value: 'read', label: 'Reads of secrets' },
  { value: 'refusal', label: 'Refused calls' },
];

const AuditFilters = () => {
  const filter = route.useSearch();
  const { from = '', to = '', drafts, action } = filter;
  const period = periodOf(filter);
  const set = useFilter();
  return (
    <>
      <Filters
        search={{ narrow: true, name: 'actor', label: 'Who: e-mail or API key' }}
        names={['subject', 'kind', 'action', 'period']}
      >
        <SearchInput narrow name="subject" label="Target" />
        <Choice name="kind" label="Kind" options={KINDS} />
        <MultiSelect
          aria-label="Actions"
          placeholder={action === undefined ? 'Actions' : ''}
          size="xs"
          w={220}
          styles={{ input: { paddingBlock: 2 }, inputField: { minHeight: 24 } }}
          data={ACTION_GROUPS}
          value={action === undefined ? [] : action.split(',')}
          onChange={(chosen) => set({ action: chosen.join(',') || null })}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear the actions' }}
        />
        <Choice
          name="period"
          label="Period"
          options={PERIODS}
          value={period}
          clearable={false}
          onChange={(next) => set({ period: next === '30' ? null : next, from: null, to: null })}
        />
        {period === 'days' && (
          <Group gap="xs" wrap="nowrap" align="flex-end">
            <DayInput
              label="From"
              value={from}
              max={to}
              onChange={(next) => set({ period: 'days', from: next })}
            />
            <DayInput
              label="To"
              value={to}
              min={from}
              onChange={(next) => set({ period: 'days', to: next })}
            />
          </Group>
        )}
      </Filters>
      <Group gap="lg" mb="sm">
        <Checkbox
          size="xs"
          label="Show drafts"
          checked={drafts === 'yes'}
          onChange={(event) => set({ drafts: event.currentTarget.checked ? 'yes' : null })}
        />
        <TextLink to="/audit" search={{ kind: 'change', subject: 'production', period: 'hour' }} size="xs">
          Changes of production in the last hour
        </TextLink>
        <Small>Days and times are in the time zone {Intl.DateTimeFormat().resolvedOptions().timeZone}.</Small>
      </Group>
    </>
  );
};

export const AuditScreen = () => {
  const { entry: chosen, ...filter } = route.useSearch();
  const set = useFilter();
  const list = useInfiniteQuery(auditQuery(filter));
  const choose = (entry: string | null) => set({ entry });
  const columns = auditColumns(({ entryId }) => choose(entryId));
  const { sealed, readsFrom = '' } = pagesOf(list)[0] ?? {};
  const rows = pagesOf(list).flatMap(({ entries }) => entries);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <Screen
      title="Audit"
      subtitle="Every change by an operator, every read of secrets with an API key, and calls refused to a known API key, once for each reason and minute. Values of secrets are never recorded."
      actions={
        <CsvButton
          fileName="cuevault audit.csv"
          columns={CSV_COLUMNS}
          read={(onCount, signal) =>
            readAll(
              auditList,
              { query: queryOf(filter), signal },
              ({ entries }) => entries.map(csvRow),
              onCount,
            )
          }
        />
      }
    >
      {sealed !== undefined && <Sealed sealed={sealed} />}
      <AuditFilters />
      <ListTable
        label="Audit entries"
        columns={columns}
        rows={rows}
        rowKey={({ entryId }) => entryId}
        list={list}
        empty={isFiltered ? NOTHING_FOUND : NOTHING_YET}
      />
      {readsFrom > (timesOf(filter, new Date()).from ?? readsFrom) && (
        <Text c="dimmed" mt="sm">
          Reads of secrets are listed since <DayText day={readsFrom} />. Earlier ones are in the sealed copy:
          see “Search it” in the guide to SIEMs.
        </Text>
      )}
      {chosen !== undefined && (
        <AuditDetails
          entryId={chosen}
          listed={rows.find(({ entryId }) => entryId === chosen)}
          onClose={() => choose(null)}
        />
      )}
    </Screen>
  );
};

const NOTHING_FOUND = (
  <Notice title="No matching entries">
    <Text size="md">Remove a filter, or choose a longer period to look further back.</Text>
    <TextLink to="/audit">Show all entries of the last 30 days</TextLink>
  </Notice>
);

const NOTHING_YET = (
  <Notice title="Nothing has happened in the last 30 days">
    <Text size="md">
      This list shows who created, changed or deleted a prompt, a secret or an API key, and which API key read
      secrets. Choose a longer period to look further back.
    </Text>
  </Notice>
);

const CSV_COLUMNS = 'id time kind actor actorId action sentence subject name details requestId'.split(' ');

const csvRow = (entry: AuditEntry) => {
  const { entryId: id, at: time, actor, subject, name } = entry;
  const sentence = `${actor} ${verbOf(entry)} ${subject === 'vault' ? 'the vault' : name}`;
  return { ...entry, id, time, sentence };
};

const auditColumns = (onDetails: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] => [
  {
    title: 'What',
    minWidth: '8rem',
    cell: (entry) => (
      <Text className="cv-break" title={entry.action}>
        {verbOf(entry)}
      </Text>
    ),
  },
  { title: 'Target', minWidth: '8rem', visibleFrom: 'xs', below: true, cell: AuditSubject },
  { title: 'Who', minWidth: '10.5rem', visibleFrom: 'md', below: 'by', cell: Actor },
  {
    title: 'Time',
    width: '12.5rem',
    visibleFrom: 'md',
    below: true,
    cell: ({ at }) => <When at={at} seconds />,
  },
  {
    title: 'Details',
    width: '4.5rem',
    cell: (entry) => (
      <ActionIcon onClick={() => onDetails(entry)} aria-label={`Details of ${entry.action} of ${entry.name}`}>
        <IconListDetails size={16} />
      </ActionIcon>
    ),
  },
];

// Operators have e-mail addresses: no name of an operator looks like that of a key.
const isKey = ({ kind, actor }: AuditEntry): boolean => kind !== 'change' || actor.startsWith('API key ');

const Actor = (entry: AuditEntry) => {
  const { actor, actorId } = entry;
  return actorId === undefined || !isKey(entry) ? (
    <Text className="cv-break">
      <Breakable text={actor} />
    </Text>
  ) : (
    <>
      <KeyLink keyId={actorId} name={actor} />
      <Small>
        API key <span className="cv-mono">{actorId}</span>
      </Small>
    </>
  );
};
