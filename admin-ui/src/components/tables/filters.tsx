import { Select, TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';

const MANY = 8;

/** The filter in an address after a change of it; null and empty texts take their part out. */
export const narrowed = (search: object, change: Readonly<Record<string, string | null>>) =>
  Object.fromEntries(Object.entries({ ...search, ...change }).filter(([, value]) => value));

type Option = string | { readonly value: string; readonly label: string };

// The choice of an address stays to be seen while the options are not known, or when it is none of them any more.
const withChosen = (options: readonly Option[], chosen: string | null): Option[] => {
  const isKnown = options.some((option) => (typeof option === 'string' ? option : option.value) === chosen);
  return chosen === null || isKnown ? [...options] : [...options, chosen];
};

interface ChoiceProps {
  readonly label: string;
  readonly options: readonly Option[];
  readonly value: string | null | undefined;
  readonly onChange: (value: string | null) => void;
  /** Whether the label stands above, for rows in which others' do. @default false, it stands inside */
  readonly labelAbove?: boolean;
  /** In pixels. @default 150 */
  readonly width?: number;
}

/** Narrows a list to what has one of these values. */
export const Choice = ({
  label,
  options,
  value = null,
  onChange,
  labelAbove = false,
  width = 150,
}: ChoiceProps) => (
  <Select
    size="xs"
    w={width}
    {...(labelAbove ? { label } : { 'aria-label': label, placeholder: label })}
    data={withChosen(options, value)}
    value={value}
    onChange={onChange}
    clearable
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

// While a year is typed, 2026 is the years 2, 20 and 202 first.
const FIRST_WHOLE_YEAR = '1000';

/** Narrows a list by a day. A day is reported once its year is whole, and in any case when the field is left. */
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
    // A day of which a part is missing has no value either; it is not cleared but being typed.
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
