import { Select, TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';

const MANY = 8;

/** The filter in the address after a change; null and empty texts remove a part. */
export const narrowed = (search: object, change: Readonly<Record<string, string | null>>) =>
  Object.fromEntries(Object.entries({ ...search, ...change }).filter(([, value]) => value));

type Option = string | { readonly value: string; readonly label: string };

// The value from the address stays visible while the options are unknown, or if it is no longer among them.
const withChosen = (options: readonly Option[], chosen: string | null): Option[] => {
  const isKnown = options.some((option) => (typeof option === 'string' ? option : option.value) === chosen);
  return chosen === null || isKnown ? [...options] : [...options, chosen];
};

interface ChoiceProps {
  readonly label: string;
  readonly options: readonly Option[];
  readonly value: string | null | undefined;
  readonly onChange: (value: string | null) => void;
  /** Whether the label is above the field, as in rows with other such labels. @default false: inside */
  readonly labelAbove?: boolean;
  /** In pixels. @default 150 */
  readonly width?: number;
  /** Shown while there is no value. @default the label, unless that is above */
  readonly placeholder?: string;
  /** Whether there may be no value. @default true */
  readonly clearable?: boolean;
}

/** Filters a list by one of these values. */
export const Choice = ({
  label,
  options,
  value = null,
  onChange,
  labelAbove = false,
  placeholder = labelAbove ? '' : label,
  width = 150,
  clearable = true,
}: ChoiceProps) => (
  <Select
    size="xs"
    w={width}
    {...{ [labelAbove ? 'label' : 'aria-label']: label, placeholder }}
    data={withChosen(options, value)}
    value={value}
    onChange={onChange}
    clearable={clearable}
    allowDeselect={clearable}
    clearButtonProps={{ 'aria-label': `Clear ${label}` }}
    searchable={options.length > MANY}
    limit={100}
    nothingFoundMessage="None"
  />
);

interface DayInputProps {
  readonly label: string;
  /** `YYYY-MM-DD` or nothing, the bounds too. */
  readonly value: string;
  readonly min?: string;
  readonly max?: string;
  readonly onChange: (day: string) => void;
}

// While 2026 is typed, the year is 2, 20 and 202 first.
const FIRST_WHOLE_YEAR = '1000';

/** Filters a list by a day. A day is reported once its year is complete, and when the field loses focus. */
export const DayInput = ({ label, value, onChange, ...bounds }: DayInputProps) => {
  const [typed, setTyped] = useState(value);
  const reported = useRef(value);
  useEffect(() => {
    if (value !== reported.current) setTyped(value);
    reported.current = value;
  }, [value]);
  const report = (day: string) => {
    if (day === reported.current) return;
    reported.current = day;
    onChange(day);
  };
  const change = ({ value: day, validity }: HTMLInputElement) => {
    setTyped(day);
    // An incomplete day has no value either; it is being typed, not cleared.
    if (day >= FIRST_WHOLE_YEAR || (day === '' && !validity.badInput)) report(day);
  };
  const onKeyDown = ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>) => {
    if (key === 'Enter') report(currentTarget.value);
  };
  return (
    <TextInput
      type="date"
      size="xs"
      w={140}
      label={label}
      value={typed}
      onChange={(event) => change(event.currentTarget)}
      onBlur={(event) => report(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      {...bounds}
    />
  );
};
