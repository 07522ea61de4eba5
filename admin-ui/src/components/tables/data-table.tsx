import {
  Button,
  Center,
  Checkbox,
  type CheckboxProps,
  Group,
  Stack,
  Text,
  UnstyledButton,
  useMatches,
} from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isDenied, messageOf } from '../../api/api-error.ts';
import { Framed, Refreshing, TextLink } from '../basics.tsx';
import { Icon } from '../icons.tsx';
import { counted } from '../locale.ts';
import { Screen, type ScreenProps } from '../screen.tsx';
import { ErrorState, Loading, Notice } from '../states.tsx';
import classes from './data-table.module.css';
import { Choice, type ChoiceProps, Filters, type Sort, useSorting, useUsed } from './filters.tsx';

/** The query of a list that is read page by page. */
export type PagedList<Page = unknown> = UseInfiniteQueryResult<InfiniteData<Page, unknown>>;

/** The rows of a list; none after the service has answered that it is forbidden. */
export const pagesOf = <Page,>(list: PagedList<Page>): readonly Page[] =>
  isDenied(list.error) ? [] : (list.data?.pages ?? []);

/** Reads the next page of a list; undefined if there is none, or while one is being read. */
export const nextPage = ({
  hasNextPage,
  isFetching,
  isError,
  fetchNextPage,
}: PagedList): (() => void) | undefined =>
  hasNextPage && !isFetching && !isError ? () => void fetchNextPage() : undefined;

export interface Column<Row> {
  /** Different from the others' titles. */
  readonly title: string;
  /** Shown instead of the title. */
  readonly head?: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Any CSS width. */
  readonly width?: string;
  /** Any CSS width; kept regardless of the other columns. */
  readonly minWidth?: string;
  readonly align?: 'right';
  /** The column is hidden on screens narrower than this, or always. @default 'sm' with `below` */
  readonly visibleFrom?: 'xs' | 'sm' | 'md' | 'lg' | 'never';
  /** Whether it is shown in the first column where it is hidden, after this. */
  readonly below?: ReactNode;
  /** What the service sorts by. */
  readonly sortBy?: string;
  /** Initial sort order. @default 'asc' */
  readonly firstOrder?: 'asc' | 'desc';
}

interface ListBodyProps {
  list: PagedList;
  /** Whether the pages so far have no rows. */
  isEmpty: boolean;
  /** Shown when the list has ended without rows. */
  empty?: ReactNode;
  children: ReactNode;
}

/** A list of any screen: loading, failed, empty, or its rows and what continues them. */
const ListBody = ({ list, isEmpty, empty, children }: ListBodyProps) => {
  const isRead = pagesOf(list).length > 0;
  // Without rows, a list that cannot be read again may have some now.
  const isUnknown =
    list.isError && (isDenied(list.error) || (!list.isFetchNextPageError && (!isRead || isEmpty)));
  return (
    <>
      {list.isPending && <Loading />}
      {isUnknown && <ErrorState error={list.error} retry={() => void list.refetch()} />}
      {isRead && isEmpty && list.hasNextPage && !list.isError && <Loading label="Looking further" />}
      <Refreshing when={list.isPlaceholderData}>
        {isRead && (isEmpty ? !list.hasNextPage && !isUnknown && empty : children)}
      </Refreshing>
      <ListEnd list={list} isEmpty={isEmpty} />
    </>
  );
};

/**
 * Shown below a list that continues: a button for the next page, or the error. A filter can leave pages empty, so the
 * next page is read at once while nothing was found.
 */
const ListEnd = ({ list, isEmpty }: { list: PagedList; isEmpty: boolean }) => {
  const next = isEmpty ? nextPage(list) : undefined;
  useEffect(() => next?.(), [next]);
  if (!list.hasNextPage || isDenied(list.error)) return null;
  return (
    <Center mt="md">
      <Stack gap="xs" align="center">
        {list.isFetchNextPageError && (
          <Text role="alert">The next part of the list could not be loaded. {messageOf(list.error)}</Text>
        )}
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {list.isFetchNextPageError ? 'Try again' : 'Show more'}
        </Button>
      </Stack>
    </Center>
  );
};

/** A checkbox with an area of 24 pixels that toggles it. */
const Selection = (props: CheckboxProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox has its own label
  <label style={{ display: 'inline-flex', padding: 4, margin: -4 }}>
    <Checkbox {...props} />
  </label>
);

export interface Selectable<Row> {
  /** What a row is, such as "secret". */
  readonly one: string;
  readonly nameOf: (row: Row) => string;
  /** Buttons for the selected rows; `select` selects others. */
  readonly acts: (chosen: readonly Row[], select: (keys: readonly string[]) => void) => ReactNode;
}

/** The selected rows of a list, a function that selects others, and a column of checkboxes that does. */
const useSelection = <Row,>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  { one, nameOf }: Pick<Selectable<Row>, 'one' | 'nameOf'>,
) => {
  const [selected, select] = useState<readonly string[]>([]);
  const toggle = (some: readonly Row[], isSelected: boolean) => {
    const ids = new Set(some.map(idOf));
    const others = selected.filter((id) => !ids.has(id));
    select(isSelected ? [...others, ...ids] : others);
  };
  const set = new Set(selected);
  // A row that is no longer listed must not be changed unseen.
  const chosen = rows.filter((row) => set.has(idOf(row)));
  const isAll = chosen.length === rows.length;
  const column: Column<Row> = {
    title: 'Select',
    width: '2.5rem',
    head: (
      <Selection
        aria-label={`Select all listed ${one}s`}
        checked={isAll}
        indeterminate={chosen.length > 0 && !isAll}
        onChange={({ currentTarget: { checked } }) => toggle(rows, checked)}
      />
    ),
    cell: (row) => (
      <Selection
        aria-label={`Select ${nameOf(row)}`}
        checked={set.has(idOf(row))}
        onChange={({ currentTarget: { checked } }) => toggle([row], checked)}
      />
    ),
  };
  return { chosen, column, select };
};

interface DataTableProps<Row> {
  /** Label of the table for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** What identifies a row: a field, or a text made of several. */
  rowKey: (keyof Row & string) | ((row: Row) => string);
  /** The order if the address has none; absent: the order of the rows is fixed. */
  sort?: Sort;
  /** What can be done with several rows at once; absent: none can be selected. */
  select?: Selectable<Row> | false;
  /** The list that the rows are the beginning of: its next page is read near the end of the table. */
  list?: PagedList | false;
}

/** From narrow to wide; on the narrowest, no column of these is shown. */
const WIDTHS: readonly Column<never>['visibleFrom'][] = [undefined, 'xs', 'sm', 'md', 'lg', 'never'];
const ROW_HEIGHT = 44;
const OVERSCAN = 8;
/** The next rows are requested this many rows before the end. */
const AHEAD = 10;
/** Lists that end with fewer rows than this are rendered without virtualization. */
const VIRTUAL_FROM = 40;

/** A table for thousands of rows: only rows near the viewport are in the page. */
export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const { label, rows, list, select } = props;
  const rowKey = (row: Row) =>
    typeof props.rowKey === 'function' ? props.rowKey(row) : String(row[props.rowKey]);
  const { sort, onSort } = useSorting(props.sort ?? FIXED);
  const { one = 'row', nameOf = rowKey, acts } = select || {};
  const selection = useSelection(rows, rowKey, { one, nameOf });
  const width = useMatches({ base: 0, xs: 1, sm: 2, md: 3, lg: 4 }, { getInitialValueInEffect: false });
  const isShown = ({ below, visibleFrom = below ? 'sm' : undefined }: Column<Row>) =>
    WIDTHS.indexOf(visibleFrom) <= width;
  const shown = props.columns.filter(isShown);
  const columns = select ? [selection.column, ...shown] : shown;
  const [first, ...others] = props.columns;
  const hidden = others.filter((column) => column.below && !isShown(column));
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
  const hasMore = list ? list.hasNextPage : false;
  const isVirtual = rows.length > VIRTUAL_FROM || hasMore;
  const start = isVirtual ? (items[0]?.index ?? 0) : 0;
  const last = isVirtual ? (items.at(-1)?.index ?? -1) : rows.length - 1;
  useLayoutEffect(() => {
    if (onEnd && (items.at(-1)?.index ?? 0) >= rows.length - AHEAD) onEnd();
  }, [items, rows.length, onEnd]);
  const before = isVirtual ? (items[0]?.start ?? scrollMargin) - scrollMargin : 0;
  const after = isVirtual
    ? virtualizer.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin)
    : 0;
  const table = (
    <Framed style={{ overflowX: 'auto' }}>
      {/* Elements of the page itself: a list has hundreds of cells, and each component of the library costs. */}
      <table
        className={classes.table}
        aria-label={label}
        // -1: nobody knows yet how many there are.
        aria-rowcount={hasMore ? -1 : rows.length + 1}
      >
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Head key={column.title} column={column} sort={sort} onSort={props.sort && onSort} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          <Spacer height={before} columns={columns.length} />
          {rows.slice(start, last + 1).map((row, offset) => (
            <tr
              key={rowKey(row)}
              ref={isVirtual ? virtualizer.measureElement : null}
              data-index={start + offset}
              aria-rowindex={start + offset + 2}
            >
              {columns.map((column) => (
                <td key={column.title} className={column.align && classes[column.align]}>
                  {column.cell(row)}
                  {column === first &&
                    hidden.map(({ title, below, cell }) => {
                      const text = cell(row);
                      return (
                        text && (
                          <div key={title} className={classes.below}>
                            {below !== true && <>{below} </>}
                            {text}
                          </div>
                        )
                      );
                    })}
                </td>
              ))}
            </tr>
          ))}
          <Spacer height={after} columns={columns.length} />
        </tbody>
      </table>
    </Framed>
  );
  return (
    <>
      {acts && selection.chosen.length > 0 && (
        <Group mb="sm" role="group" aria-label={`Selected ${one}s`}>
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

const FIXED: Sort = { by: '', order: 'asc' };

interface ListTableProps<Row> extends DataTableProps<Row> {
  list: PagedList;
  /** Shown when the list has ended without rows. */
  empty?: ReactNode;
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

interface HeadProps<Row> {
  column: Column<Row>;
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
}

const Head = <Row,>({ column, sort, onSort }: HeadProps<Row>) => {
  const { title, head = title, width, minWidth, align, sortBy, firstOrder = 'asc' } = column;
  const order = sort !== undefined && sort.by === sortBy ? sort.order : undefined;
  const other = order === 'asc' ? 'desc' : 'asc';
  const next = order ? other : firstOrder;
  const props = { scope: 'col', className: align && classes[align], style: { width, minWidth } };
  if (sortBy === undefined || onSort === undefined) return <th {...props}>{head}</th>;
  return (
    <th {...props} aria-sort={order ? `${order}ending` : 'none'}>
      <UnstyledButton className={classes.sort ?? ''} onClick={() => onSort({ by: sortBy, order: next })}>
        {title}
        <Icon
          name={order === 'desc' ? 'arrow-down' : 'arrow-up'}
          size={13}
          className={classes.arrow}
          data-shown={order !== undefined}
        />
      </UnstyledButton>
    </th>
  );
};

interface ListScreenProps extends Omit<ScreenProps, 'subtitle'> {
  /** What a row is, such as "API key". */
  one: string;
  list: PagedList;
  /** How many rows there are; undefined until it is known. */
  total: number | undefined;
  isEmpty: boolean;
  /** What is found. @default `total` */
  summary?: ReactNode;
  /** What the search looks in, such as "Search names and tags". */
  search: string;
  filters: readonly ChoiceProps[];
  /** Filters that are not choices, before the others. */
  more?: ReactNode;
  /** Shown while there is nothing at all. */
  first: ReactNode;
  /** The rows. */
  children: ReactNode;
}

/** The screen of a list: its search and filters, how much is found, and what is shown if it is nothing. */
export const ListScreen = ({ one, list, total, isEmpty, search, filters, ...rest }: ListScreenProps) => {
  const names = filters.map(({ name }) => name);
  const isFiltered = useUsed(['q', ...names]) > 0;
  const { summary, more, first, children, ...screen } = rest;
  const found = total !== undefined && (
    <span role="status">
      {counted(total, one)}
      {isFiltered && ' found'}
    </span>
  );
  return (
    <Screen {...screen} subtitle={summary ?? found}>
      {(isFiltered || total !== 0 || !isEmpty) && (
        <Filters search={{ name: 'q', label: search }} names={names} beside={more}>
          {filters.map((filter) => (
            <Choice key={filter.name} {...filter} />
          ))}
        </Filters>
      )}
      <ListBody
        list={list}
        isEmpty={isEmpty}
        empty={
          isFiltered ? (
            <Notice title={`No matching ${one}s`}>
              <TextLink to="." search={{}}>
                Show all {one}s
              </TextLink>
            </Notice>
          ) : (
            first
          )
        }
      >
        {children}
      </ListBody>
    </Screen>
  );
};
