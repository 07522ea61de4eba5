import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Refreshing } from '../../components/layout/refreshing.tsx';
import { Screen } from '../../components/layout/screen.tsx';
import { TextLink } from '../../components/link.tsx';
import { ErrorState, Loading, Notice } from '../../components/states.tsx';
import { CsvButton } from '../../components/tables/csv-button.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { ListEnd, nextPage, pagesOf } from '../../components/tables/list-end.tsx';
import { auditColumns, csvRow } from './audit-columns.tsx';
import { AuditDetails } from './audit-details.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { Integrity } from './audit-integrity.tsx';
import { type AuditEntry, auditQuery, readAllEntries } from './audit-queries.ts';

const route = getRouteApi('/audit');

/** Who changed or read what, and when. */
export const AuditScreen = () => {
  const filter = route.useSearch();
  const list = useInfiniteQuery(auditQuery(filter));
  const [chosen, setChosen] = useState<AuditEntry>();
  const columns = useMemo(() => auditColumns(setChosen), []);
  const integrity = pagesOf(list)[0]?.integrity;
  const rows = pagesOf(list).flatMap(({ entries }) => entries);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Screen
      title="Audit"
      subtitle="Every change by an operator and every read of secrets with an API key. Values are never noted."
      actions={
        <CsvButton
          fileName="cuevault audit.csv"
          read={async (onCount, signal) => (await readAllEntries(filter, onCount, signal)).map(csvRow)}
        />
      }
    >
      {integrity && <Integrity {...integrity} />}
      <AuditFilters />
      {list.isPending && <Loading />}
      {list.isError && rows.length === 0 && (
        <ErrorState error={list.error} retry={() => void list.refetch()} />
      )}
      {rows.length > 0 && (
        <Refreshing when={list.isPlaceholderData}>
          <DataTable
            label="Audit entries"
            columns={columns}
            rows={rows}
            rowKey={keyOf}
            onEnd={nextPage(list)}
          />
        </Refreshing>
      )}
      {list.isSuccess && rows.length === 0 && list.hasNextPage && <Loading label="Looking further back" />}
      <ListEnd list={list} isEmpty={rows.length === 0} />
      {list.isSuccess && rows.length === 0 && !list.hasNextPage && <Empty isFiltered={isFiltered} />}
      {chosen && <AuditDetails entry={chosen} onClose={() => setChosen(undefined)} />}
    </Screen>
  );
};

// The first start writes its entries in one request, possibly within one millisecond.
const keyOf = ({ at, requestId, action, subject, details }: AuditEntry): string =>
  [at, requestId, action, subject, details.tags].join(' ');

const Empty = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Notice title="No matching entries">
      <Text>Without days, the last 30 days are looked at. Choose earlier ones to look further back.</Text>
      <TextLink to="/audit">Show all of the last 30 days</TextLink>
    </Notice>
  ) : (
    <Notice title="Nothing has happened in the last 30 days">
      <Text>
        This list shows who created, changed or deleted a prompt, a secret or an API key, and which API key
        read secrets. Choose earlier days to look further back.
      </Text>
    </Notice>
  );
