import { getRouteApi } from '@tanstack/react-router';
import { DataTable, type Sort } from '../../../components/tables/data-table.tsx';
import { useSelection } from '../../../components/tables/use-selection.tsx';
import type { SecretRow } from '../secret-queries.ts';
import { SECRET_COLUMNS } from './secrets-columns.tsx';
import { SelectionBar } from './selection-bar.tsx';

const route = getRouteApi('/secrets');

interface SecretsTableProps {
  readonly rows: readonly SecretRow[];
  readonly onEnd: (() => void) | undefined;
}

const OF_SECRETS = {
  idOf: ({ secretId }: SecretRow) => secretId,
  nameOf: ({ key }: SecretRow) => key,
  what: 'secrets',
};

/** The list of secrets, in which several can be selected. */
export const SecretsTable = ({ rows, onEnd }: SecretsTableProps) => {
  const { sort = 'key', order = 'asc' } = route.useSearch();
  const navigate = route.useNavigate();
  const onSort = (next: Sort) =>
    void navigate({ search: (search) => ({ ...search, sort: next.by as typeof sort, order: next.order }) });
  const { chosen, column, select } = useSelection(rows, OF_SECRETS);
  const columns = [column, ...SECRET_COLUMNS];
  return (
    <>
      {chosen.length > 0 && <SelectionBar secrets={chosen} onSelect={select} />}
      <DataTable
        label="Secrets"
        columns={columns}
        rows={rows}
        rowKey={({ secretId }) => secretId}
        sort={{ by: sort, order }}
        onSort={onSort}
        onEnd={onEnd}
      />
    </>
  );
};
