import { Checkbox, type CheckboxProps } from '@mantine/core';
import { useState } from 'react';
import type { Column } from './list-body.tsx';

/** A checkbox with an area of 24 pixels that toggles it. */
const Selection = (props: CheckboxProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox has its own label
  <label style={{ display: 'inline-flex', padding: 4, margin: -4 }}>
    <Checkbox size="xs" {...props} />
  </label>
);

interface SelectionOptions<Row> {
  readonly idOf: (row: Row) => string;
  readonly nameOf: (row: Row) => string;
  /** What the rows are, such as "secrets". */
  readonly what: string;
}

/** The selected rows of a list, and a column of checkboxes that selects them. */
export const useSelection = <Row,>(
  rows: readonly Row[],
  { idOf, nameOf, what }: SelectionOptions<Row>,
): {
  readonly chosen: Row[];
  /** Their ids, and those of selected rows that are no longer listed. */
  readonly selected: readonly string[];
  readonly column: Column<Row>;
  readonly select: (ids: readonly string[]) => void;
} => {
  const [selected, select] = useState<readonly string[]>([]);
  const without = (ids: readonly string[]) => selected.filter((id) => !ids.includes(id));
  const toggle = (some: readonly Row[], isSelected: boolean) => {
    const ids = some.map(idOf);
    select(isSelected ? [...without(ids), ...ids] : without(ids));
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
        aria-label={`Select all listed ${what}`}
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
  return { chosen, selected, column, select };
};
