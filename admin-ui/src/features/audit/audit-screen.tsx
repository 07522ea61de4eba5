import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Screen } from '../../components/layout/screen.tsx';
import { TextLink } from '../../components/link.tsx';
import { Notice } from '../../components/states.tsx';
import { CsvButton } from '../../components/tables/csv-button.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { useFilter } from '../../components/tables/filters.tsx';
import { ListBody, pagesOf } from '../../components/tables/list-body.tsx';
import { DayText } from '../../components/when.tsx';
import { auditColumns, csvRow } from './audit-columns.tsx';
import { AuditDetails } from './audit-details.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { Integrity } from './audit-integrity.tsx';
import { auditQuery, readAllEntries } from './audit-queries.ts';
import { timesOf } from './audit-times.ts';

const route = getRouteApi('/audit');

/** Who changed or read what, and when. */
export const AuditScreen = () => {
  const { entry: chosen, ...filter } = route.useSearch();
  const set = useFilter();
  const list = useInfiniteQuery(auditQuery(filter));
  const choose = (entry: string | null) => set({ entry });
  const columns = auditColumns(({ entryId }) => choose(entryId));
  const { integrity, readsFrom = '' } = pagesOf(list)[0] ?? {};
  const rows = pagesOf(list).flatMap(({ entries }) => entries);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <Screen
      title="Audit"
      subtitle="Every change by an operator, every read of secrets with an API key, and calls refused to a known API key, once for each reason and minute. Values of secrets are never recorded."
      actions={
        <CsvButton
          fileName="cuevault audit.csv"
          read={async (onCount, signal) => (await readAllEntries(filter, onCount, signal)).map(csvRow)}
        />
      }
    >
      {integrity && <Integrity {...integrity} />}
      <AuditFilters />
      <ListBody list={list} isEmpty={rows.length === 0} empty={<Empty isFiltered={isFiltered} />}>
        <DataTable
          label="Audit entries"
          columns={columns}
          rows={rows}
          rowKey={({ entryId }) => entryId}
          list={list}
        />
      </ListBody>
      {readsFrom > (timesOf(filter, new Date()).from ?? readsFrom) && <EndOfReads day={readsFrom} />}
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

const EndOfReads = ({ day }: { day: string }) => (
  <Text c="dimmed" mt="sm">
    Reads of secrets are listed since <DayText day={day} />. Earlier ones are in the sealed copy:{' '}
    <code>npm run audit:search</code>
  </Text>
);

const Empty = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Notice title="No matching entries">
      <Text size="md">Remove a filter, or choose a longer period to look further back.</Text>
      <TextLink to="/audit">Show all entries of the last 30 days</TextLink>
    </Notice>
  ) : (
    <Notice title="Nothing has happened in the last 30 days">
      <Text size="md">
        This list shows who created, changed or deleted a prompt, a secret or an API key, and which API key
        read secrets. Choose a longer period to look further back.
      </Text>
    </Notice>
  );
