import { Button, Group, Table, Text, UnstyledButton } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { counted } from '../count.ts';
import { IconArrowDown, IconArrowUp } from '../icons.tsx';
import { Framed } from '../layout/panel.tsx';
import { Small } from '../small.tsx';
import classes from './data-table.module.css';
import { useSorting } from './filters.tsx';
import { type Column, ListBody, nextPage, type PagedList, type Sort } from './list-body.tsx';
import { useSelection } from './use-selection.tsx';

export type { Column };

export interface Selectable<Row> {
  /** What a row is, such as "secret". */
  readonly one: string;
  readonly nameOf: (row: Row) => string;
  /** Buttons for the selected rows; `select` selects others. */
  readonly acts: (chosen: readonly Row[], select: (keys: readonly string[]) => void) => ReactNode;
}

export interface DataTableProps<Row> {
  /** Label of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The order if the address has none; absent: the order of the rows is fixed. */
  readonly sort?: Sort;
  /** What can be done with several rows at once; absent: none can be selected. */
  readonly select?: Selectable<Row>;
  /** The list that the rows are the beginning of: its next page is read near the end of the table. */
  readonly list?: PagedList;
}

const ROW_HEIGHT = 44;
const OVERSCAN = 15;
/** The next rows are requested this many rows before the end. */
const AHEAD = 10;
/** Fewer rows than this are rendered without virtualization. */
const VIRTUAL_FROM = 40;

/** A table for thousands of rows: only rows near the viewport are in the page. */
export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const { label, rows, rowKey, list, select } = props;
  const { sort, onSort } = useSorting(props.sort ?? FIXED);
  const { one = 'row', nameOf = rowKey, acts } = select ?? {};
  const selection = useSelection(rows, { idOf: rowKey, nameOf, what: `${one}s` });
  const shown = props.columns.filter(({ visibleFrom }) => visibleFrom !== 'never');
  const columns = select ? [selection.column, ...shown] : shown;
  const [first, ...others] = props.columns;
  const onEnd = list && nextPage(list);
  const body = useRef<HTMLTableSectionElement>(null);
  const scrollMargin = useTop(body);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : rowKey(row);
    },
  });
  const items = virtualizer.getVirtualItems();
  const isVirtual = rows.length > VIRTUAL_FROM;
  const start = isVirtual ? (items[0]?.index ?? 0) : 0;
  const last = isVirtual ? (items.at(-1)?.index ?? -1) : rows.length - 1;
  useLayoutEffect(() => {
    if (onEnd !== undefined && (items.at(-1)?.index ?? 0) >= rows.length - AHEAD) onEnd();
  }, [items, rows.length, onEnd]);
  const before = isVirtual ? (items[0]?.start ?? scrollMargin) - scrollMargin : 0;
  const after = isVirtual
    ? virtualizer.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin)
    : 0;
  const table = (
    <Framed style={{ overflowX: 'auto' }}>
      <Table
        aria-label={label}
        // -1: nobody knows yet how many there are.
        aria-rowcount={list?.hasNextPage ? -1 : rows.length + 1}
        highlightOnHover
        // The library's own color is that of badges.
        highlightOnHoverColor="var(--cv-page)"
      >
        <Table.Thead>
          <Table.Tr aria-rowindex={1}>
            {columns.map((column) => (
              <Head key={column.title} column={column} sort={sort} onSort={props.sort && onSort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={body}>
          <Spacer height={before} columns={columns.length} />
          {rows.slice(start, last + 1).map((row, offset) => (
            <Table.Tr
              key={rowKey(row)}
              ref={isVirtual ? virtualizer.measureElement : null}
              data-index={start + offset}
              aria-rowindex={start + offset + 2}
            >
              {columns.map((column) => (
                <Table.Td key={column.title} ta={column.align ?? 'left'} {...fromOf(column)}>
                  {column.cell(row)}
                  {column === first &&
                    others.map((other) => <Below key={other.title} column={other} row={row} />)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
          <Spacer height={after} columns={columns.length} />
        </Table.Tbody>
      </Table>
    </Framed>
  );
  return (
    <>
      {acts && selection.chosen.length > 0 && (
        <Group gap="xs" mb="sm" role="group" aria-label={`Selected ${one}s`}>
          <Text fw={600} role="status">
            {counted(selection.chosen.length, one)} selected
          </Text>
          {acts(selection.chosen, selection.select)}
          <Button variant="subtle" onClick={() => selection.select([])}>
            Clear the selection
          </Button>
        </Group>
      )}
      {table}
    </>
  );
};

const fromOf = <Row,>({ visibleFrom }: Column<Row>) =>
  visibleFrom && visibleFrom !== 'never' ? { visibleFrom } : {};

const FIXED: Sort = { by: '', order: 'asc' };

/** On narrow screens, what its own column would show. */
const Below = <Row,>({ column: { below, visibleFrom, cell }, row }: { column: Column<Row>; row: Row }) =>
  below &&
  visibleFrom && (
    <Small component="div" {...(visibleFrom !== 'never' && { hiddenFrom: visibleFrom })}>
      {below !== true && `${below} `}
      {cell(row)}
    </Small>
  );

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

// Content above the table can change its height.
const useTop = (element: RefObject<HTMLElement | null>): number => {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const seen = element.current?.getBoundingClientRect().top ?? 0;
      setTop(Math.round(seen + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
};

const Spacer = ({ height, columns }: { height: number; columns: number }) =>
  height <= 0 ? null : (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without content cannot have the focus
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  );

const OTHER = { asc: 'desc', desc: 'asc' } as const;
const SPOKEN = { asc: 'ascending', desc: 'descending' } as const;

interface HeadProps<Row> {
  readonly column: Column<Row>;
  readonly sort: Sort | undefined;
  readonly onSort: ((sort: Sort) => void) | undefined;
}

const Head = <Row,>({ column, sort, onSort }: HeadProps<Row>) => {
  const { title, head = title, width, minWidth, sortBy, firstOrder = 'asc' } = column;
  const align: 'left' | 'right' = column.align ?? 'left';
  const order = sort !== undefined && sort.by === sortBy ? sort.order : undefined;
  const props = {
    scope: 'col',
    ta: align,
    c: 'dimmed',
    fz: 'xs',
    fw: 600,
    style: { whiteSpace: 'nowrap' },
    ...(width && { w: width }),
    ...(minWidth && { miw: minWidth }),
    ...fromOf(column),
  } as const;
  if (sortBy === undefined || onSort === undefined) return <Table.Th {...props}>{head}</Table.Th>;
  const Arrow = order === 'desc' ? IconArrowDown : IconArrowUp;
  return (
    <Table.Th {...props} aria-sort={order === undefined ? 'none' : SPOKEN[order]}>
      <UnstyledButton
        className={classes.sort ?? ''}
        onClick={() => onSort({ by: sortBy, order: order === undefined ? firstOrder : OTHER[order] })}
      >
        {title}
        <Arrow size={13} className={classes.arrow} data-shown={order !== undefined} />
      </UnstyledButton>
    </Table.Th>
  );
};
