import type { ReactNode } from 'react';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { ListBody, type PagedList } from './list-body.tsx';

interface ListTableProps<Row> extends DataTableProps<Row> {
  readonly list: PagedList;
  /** Shown when the list has ended without rows. */
  readonly empty?: ReactNode;
}

/** A list of a screen as a table. */
export const ListTable = <Row,>({ empty, ...table }: ListTableProps<Row>) => (
  <ListBody list={table.list} isEmpty={table.rows.length === 0} empty={empty}>
    <DataTable {...table} />
  </ListBody>
);
