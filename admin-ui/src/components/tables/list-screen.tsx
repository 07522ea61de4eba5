import type { ReactNode } from 'react';
import { TextLink } from '../basics.tsx';
import { foundOf } from '../locale.ts';
import { Screen, type ScreenProps } from '../screen.tsx';
import { Notice } from '../states.tsx';
import { ListBody, type PagedList } from './data-table.tsx';
import { Choice, type ChoiceProps, Filters, useIsFiltered } from './filters.tsx';

interface ListScreenProps extends Omit<ScreenProps, 'subtitle'> {
  /** What a row is, such as "API key". */
  readonly one: string;
  readonly list: PagedList;
  /** How many rows there are; undefined until it is known. */
  readonly total: number | undefined;
  readonly isEmpty: boolean;
  /** What is found. @default `total` */
  readonly summary?: ReactNode;
  /** What the search looks in, such as "Search names and tags". */
  readonly search: string;
  readonly filters: readonly ChoiceProps[];
  /** Filters that are not choices, before the others. */
  readonly more?: ReactNode;
  /** Shown while there is nothing at all. */
  readonly first: ReactNode;
  /** The rows. */
  readonly children: ReactNode;
}

/** The screen of a list: its search and filters, how much is found, and what is shown if it is nothing. */
export const ListScreen = ({ one, list, total, isEmpty, search, filters, ...rest }: ListScreenProps) => {
  const names = filters.map(({ name }) => name);
  const isFiltered = useIsFiltered(['q', ...names]);
  const { summary, more, first, children, ...screen } = rest;
  const found = total !== undefined && <span role="status">{foundOf(total, one, isFiltered)}</span>;
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
