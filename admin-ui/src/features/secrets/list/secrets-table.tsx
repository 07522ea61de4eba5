import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { DataTable, type Sort } from '../../../components/tables/data-table.tsx';
import type { SecretRow } from '../secret-queries.ts';
import { SECRET_COLUMNS, selectColumn } from './secrets-columns.tsx';
import { SelectionBar } from './selection-bar.tsx';

const route = getRouteApi('/secrets');

interface SecretsTableProps {
  readonly rows: readonly SecretRow[];
  readonly onEnd: (() => void) | undefined;
}

/** The list of secrets, in which several can be selected. */
export const SecretsTable = ({ rows, onEnd }: SecretsTableProps) => {
  const { sort = 'key', order = 'asc' } = route.useSearch();
  const navigate = route.useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const onSort = (next: Sort) =>
    void navigate({ search: (search) => ({ ...search, sort: next.by as typeof sort, order: next.order }) });
  const onSelect = (secretIds: readonly string[], isSelected: boolean) =>
    setSelected(
      new Set(
        isSelected
          ? [...selected, ...secretIds]
          : [...selected].filter((secretId) => !secretIds.includes(secretId)),
      ),
    );
  // A secret that is no longer listed must not be changed unseen.
  const chosen = rows.filter(({ secretId }) => selected.has(secretId));
  const columns = [selectColumn((secretId) => selected.has(secretId), onSelect, rows), ...SECRET_COLUMNS];
  return (
    <>
      {chosen.length > 0 && <SelectionBar secrets={chosen} onSelect={(ids) => setSelected(new Set(ids))} />}
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
