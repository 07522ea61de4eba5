import { DataTable } from '../../../components/tables/data-table.tsx';
import { useSorting } from '../../../components/tables/filters.tsx';
import type { PagedList } from '../../../components/tables/list-body.tsx';
import { useSelection } from '../../../components/tables/use-selection.tsx';
import type { SecretRow } from '../secret-queries.ts';
import { SECRET_COLUMNS } from './secrets-columns.tsx';
import { SelectionBar } from './selection-bar.tsx';

interface SecretsTableProps {
  readonly rows: readonly SecretRow[];
  readonly list: PagedList;
}

const OF_SECRETS = {
  idOf: ({ secretId }: SecretRow) => secretId,
  nameOf: ({ key }: SecretRow) => key,
  what: 'secrets',
};

export const SecretsTable = ({ rows, list }: SecretsTableProps) => {
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
        {...useSorting({ by: 'key', order: 'asc' })}
        list={list}
      />
    </>
  );
};
