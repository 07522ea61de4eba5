import { ActionIcon, Checkbox, Group, Modal, MultiSelect, Space, Text } from '@mantine/core';
import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { auditList } from '../../../../contract/endpoints/service.ts';
import type { QueryOf, ReplyOf } from '../../api/client.ts';
import { listQuery, pagesFrom, readAll } from '../../api/queries.ts';
import { AuditSubject } from '../../components/audit-subject.tsx';
import { ACTION_GROUPS, verbOf } from '../../components/audit-words.ts';
import { DayText, Facts, KeyLink, Muted, Small, TextLink, When } from '../../components/basics.tsx';
import { CodeBlock, CopyTextButton } from '../../components/code-block.tsx';
import { Icon } from '../../components/icons.tsx';
import { daysSince, inDigits } from '../../components/locale.ts';
import { Breakable, Screen } from '../../components/screen.tsx';
import { Notice, QueryBoundary } from '../../components/states.tsx';
import { CsvButton } from '../../components/tables/csv-button.tsx';
import { type Column, ListTable, pagesOf } from '../../components/tables/data-table.tsx';
import {
  Choice,
  DayInput,
  Filters,
  optionsOf,
  SearchInput,
  useFilter,
} from '../../components/tables/filters.tsx';
import { PERIODS, periodOf, timesOf } from './audit-times.ts';

type AuditEntry = ReplyOf<typeof auditList>['entries'][number];

type AuditSeal = Exclude<ReplyOf<typeof auditList>['sealed'], undefined>;

const route = getRouteApi('/audit');

type AuditFilter = Omit<ReturnType<typeof route.useSearch>, 'entry'>;

// Drafts are left out by default: each pause in typing saves one.
const queryOf = ({ period, from, to, drafts, ...rest }: AuditFilter): QueryOf<typeof auditList> => ({
  ...rest,
  ...timesOf({ period, from, to }, new Date()),
  drafts: drafts === 'yes' || rest.action?.includes('draft') === true,
});

const entryQuery = (entryId: string) =>
  queryOptions({
    queryKey: ['audit', 'entry', entryId],
    queryFn: async ({ signal }) => {
      const [at = ''] = entryId.split('#');
      const query = { from: at, to: at };
      for await (const { entries } of pagesFrom(auditList, { query, signal })) {
        const found = entries.find((entry) => entry.entryId === entryId);
        if (found !== undefined) return found;
      }
      return null;
    },
  });

interface AuditDetailsProps {
  entryId: string;
  /** The entry, if the list contains it. */
  listed: AuditEntry | undefined;
  onClose: () => void;
}

/** All details of the audit entry in the address, and a link to it. */
const AuditDetails = ({ entryId, listed, onClose }: AuditDetailsProps) => {
  const query = useQuery({ ...entryQuery(entryId), initialData: () => listed });
  const entry = query.data;
  return (
    <Modal
      opened
      onClose={onClose}
      title={entry ? `${entry.actor} ${verbOf(entry)}` : 'Audit entry'}
      size="lg"
    >
      <QueryBoundary query={query}>
        {(found) =>
          found ? (
            <Details {...found} />
          ) : (
            <Text>There is no such entry. Entries are removed when their retention period ends.</Text>
          )
        }
      </QueryBoundary>
    </Modal>
  );
};

const Code = ({ text }: { text: string }) => <span className="cv-mono">{text}</span>;

const Details = (entry: AuditEntry) => (
  <>
    <Facts
      of={{
        Time: (
          <>
            <When at={entry.at} seconds /> <Code text={entry.at} />
          </>
        ),
        Who: (
          <>
            {entry.actor} {entry.actorId && <Code text={entry.actorId} />}
          </>
        ),
        Action: <Code text={entry.action} />,
        Target: (
          <>
            {entry.name} <Code text={entry.subject} />
          </>
        ),
        Request: <Code text={entry.requestId} />,
      }}
    />
    <Space h="md" />
    <CodeBlock text={JSON.stringify(entry.details, undefined, 2)} label="the details" />
    <Group justify="flex-end" mt="md">
      <CopyTextButton
        text={`${location.origin}/audit?${new URLSearchParams({ entry: entry.entryId })}`}
        label="the link"
      />
    </Group>
  </>
);

/** What the sealed copy of the log covers. */
const Sealed = ({ sealed }: { sealed: AuditSeal }) => {
  // Entries are sealed every 15 minutes; after an hour without a seal, something is wrong.
  const isLate = sealed !== null && daysSince(sealed.at) > 1 / 24;
  return (
    <Group component="section" aria-label="Seal" gap={6} wrap="nowrap" align="flex-start" mb="md">
      <Icon
        name={sealed && !isLate ? 'shield-check' : 'shield-exclamation'}
        size={17}
        strokeWidth={1.6}
        style={{ flexShrink: 0, marginTop: 2 }}
      />
      <Muted>
        {sealed === null ? (
          'Nothing is sealed yet. Entries are sealed in a signed copy after 5 to 20 minutes, so that later changes and removals are found.'
        ) : (
          <>
            Entries before <When at={sealed.to} /> are sealed in a signed copy (no. {inDigits(sealed.number)}
            ). <code>npm run audit:verify</code> checks that the copy is complete and unchanged.
          </>
        )}
        {isLate && (
          <Text span inherit fw={600} c="var(--mantine-color-text)">
            {' '}
            Nothing was sealed since <When at={sealed.at} />, although it should be every 15 minutes: look at
            the log of the function <code>audit-seal</code>.
          </Text>
        )}
      </Muted>
    </Group>
  );
};

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
        <Choice
          name="kind"
          label="Kind"
          options={optionsOf({ change: 'Changes', read: 'Reads of secrets', refusal: 'Refused calls' })}
        />
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
          <Group wrap="nowrap" align="flex-end">
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
          label="Show drafts"
          checked={drafts === 'yes'}
          onChange={(event) => set({ drafts: event.currentTarget.checked ? 'yes' : null })}
        />
        <TextLink to="/audit" search={{ kind: 'change', subject: 'production', period: 'hour' }}>
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
  const query = queryOf(filter);
  const list = useInfiniteQuery(listQuery(['audit', query], auditList, { query }));
  const choose = (entry: string | null) => set({ entry });
  const columns = auditColumns(({ entryId }) => choose(entryId));
  const { sealed, readsFrom = '' } = pagesOf(list)[0] ?? {};
  const rows = pagesOf(list).flatMap(({ entries }) => entries);
  return (
    <Screen
      subtitle="Changes, reads of secrets and refused calls, never with values."
      actions={
        <CsvButton
          fileName="cuevault audit.csv"
          columns={CSV_COLUMNS}
          read={(onCount, signal) =>
            readAll(auditList, { query, signal }, ({ entries }) => entries.map(csvRow), onCount)
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
        rowKey="entryId"
        list={list}
        empty={
          <Notice title="No matching entries">
            <Text>Remove a filter, or choose a longer period to look further back.</Text>
            <TextLink to="/audit">Show all entries of the last 30 days</TextLink>
          </Notice>
        }
      />
      {readsFrom > (timesOf(filter, new Date()).from ?? readsFrom) && (
        <Muted mt="sm">
          Reads of secrets are listed since <DayText day={readsFrom} />. Earlier ones are in the sealed copy:
          see “Search it” in the guide to SIEMs.
        </Muted>
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
    cell: (entry) => <Text title={entry.action}>{verbOf(entry)}</Text>,
  },
  { title: 'Target', minWidth: '15rem', visibleFrom: 'xs', below: true, cell: AuditSubject },
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
        <Icon name="list-details" />
      </ActionIcon>
    ),
  },
];

const Actor = ({ kind, actor, actorId }: AuditEntry) => {
  // Operators have e-mail addresses: no name of an operator looks like that of a key.
  const isKey = kind !== 'change' || actor.startsWith('API key ');
  return actorId === undefined || !isKey ? (
    <Breakable text={actor} />
  ) : (
    <span title={`API key ${actorId}`}>
      <Icon name="key" size={13} label="API key" /> <KeyLink keyId={actorId} name={actor} />
    </span>
  );
};
