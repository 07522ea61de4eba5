import { Box, Button, CloseButton, Group, Select, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback, useMediaQuery } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { visible } from '../../../../contract/content/visible.ts';
import { useCan } from '../../api/session-context.tsx';
import { TextLink } from '../basics.tsx';
import { useEnvironments } from '../environments.tsx';
import { Icon } from '../icons.tsx';
import { keepTyped, searchedFor } from './searched-for.ts';

/** Says that a text is not searched for, and leads administrators to the screen that asks who has it. */
export const NotSearched = ({ typed, onFind }: { readonly typed: string; readonly onFind?: () => void }) => (
  <Text size="xs" c="amber">
    This looks like a credential and is not searched for.{' '}
    {useCan()('admin') && (
      <TextLink
        to="/secrets/who-has"
        onClick={() => {
          keepTyped(typed);
          onFind?.();
        }}
      >
        Find who has this value
      </TextLink>
    )}
  </Text>
);

const MANY = 8;

const useAddress = () => useSearch({ strict: false });

/** The name of a query parameter. */
type Part = keyof ReturnType<typeof useAddress>;
type Change = Readonly<Partial<Record<Part, string | null>>>;

const narrowed = (search: object, change: Change) =>
  Object.fromEntries(Object.entries({ ...search, ...change }).filter(([, value]) => value));

/** Changes parts of the filter in the address of a list; null and empty texts remove a part. */
export const useFilter = () => {
  const navigate = useNavigate();
  return (change: Change, options?: { readonly resetScroll: boolean }): void =>
    void navigate({ to: '.', replace: true, search: (search) => narrowed(search, change), ...options });
};

/** A part of the filter in the address, and a function that changes it. */
const usePart = (name: Part) => {
  const part = useAddress()[name];
  const set = useFilter();
  return [part ?? null, (next: string | null) => set({ [name]: next })] as const;
};

export interface Sort {
  readonly by: string;
  readonly order: 'asc' | 'desc';
}

/** The order of a list in the address, for its table. */
export const useSorting = (byDefault: Sort) => {
  const { sort: by = byDefault.by, order = byDefault.order } = useAddress();
  const set = useFilter();
  return { sort: { by, order }, onSort: (next: Sort) => set({ sort: next.by, order: next.order }) };
};

type Option = string | { readonly value: string; readonly label: string };

/** The options of a field, from what each value is called. */
export const optionsOf = <Value extends string>(labels: Readonly<Record<Value, string>>) =>
  (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }));

// The value from the address stays visible while the options are unknown, or if it is no longer among them.
const withChosen = (options: readonly Option[], chosen: string | null): Option[] => {
  const all = options.map((option) =>
    typeof option === 'string' ? { value: option, label: visible(option) } : option,
  );
  const isKnown = chosen === null || all.some(({ value }) => value === chosen);
  return isKnown ? all : [...all, { value: chosen, label: visible(chosen) }];
};

export interface ChoiceProps {
  name: Part;
  label: string;
  options: readonly Option[];
  /** @default the value in the address */
  value?: string | null;
  /** @default changes the address */
  onChange?: (value: string | null) => void;
  /** In pixels. @default 150 */
  width?: number;
  /** Shown while there is no value. @default the label */
  placeholder?: string;
  /** Whether there may be no value. @default true */
  clearable?: boolean;
}

/** Filters a list by one of these values. */
export const Choice = ({
  name,
  label,
  options,
  placeholder = label,
  width = 150,
  clearable = true,
  ...rest
}: ChoiceProps) => {
  const [text, set] = usePart(name);
  const { value = text, onChange = set } = rest;
  return (
    <Select
      size="xs"
      w={width}
      aria-label={label}
      placeholder={placeholder}
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
};

/** Limits a list to one environment, if there are several. */
export const EnvironmentChoice = (props: Partial<ChoiceProps>) => {
  const names = useEnvironments().map(({ name }) => name);
  return names.length > 1 && <Choice name="environment" label="Environment" options={names} {...props} />;
};

/** How many of these parts of a filter the address has. */
export const useUsed = (names: readonly Part[]): number => {
  const search = useAddress();
  return names.filter((name) => search[name] !== undefined).length;
};

interface FiltersProps {
  search: SearchInputProps;
  /** Shown beside the search on a phone too. */
  beside?: ReactNode;
  /** The names of the filters that are folded. */
  names: readonly Part[];
  children: ReactNode;
}

/** The filters of a list; on a phone, all but the first are folded behind a button that counts those in use. */
export const Filters = ({ search, beside, names, children }: FiltersProps) => {
  const used = useUsed(names);
  const isPhone = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false });
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Group mb="sm" align="flex-end">
      <SearchInput {...search} />
      {beside}
      {isPhone && names.length > 0 && (
        <Button variant="default" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {used === 0 ? 'Filters' : `Filters (${used})`}
        </Button>
      )}
      {(!isPhone || isOpen) && children}
    </Group>
  );
};

/** What is typed in a field, until its value changes in another way than by typing; and what was last reported. */
const useTyped = (value: string) => {
  const [typed, setTyped] = useState(value);
  const reported = useRef(value);
  useEffect(() => {
    // The value that comes back from typing is older than the content of the field.
    if (value !== reported.current) setTyped(value);
    reported.current = value;
  }, [value]);
  return { typed, setTyped, reported };
};

const PAUSE_MS = 200;

interface SearchInputProps {
  name: Part;
  /** What is searched, such as "Search names, tags, models and notes". */
  label: string;
  /** Whether it stands in a row with many other filters. @default false */
  narrow?: boolean;
}

/** Filters a list by a text, when typing pauses. */
export const SearchInput = ({ name, label, narrow }: SearchInputProps) => {
  const [text, set] = usePart(name);
  const { typed, setTyped, reported } = useTyped(text ?? '');
  const report = useDebouncedCallback((next: string) => {
    reported.current = next;
    set(next);
  }, PAUSE_MS);
  const change = (next: string) => {
    setTyped(next);
    report(searchedFor(next) ?? '');
  };
  return (
    <Box style={{ flex: narrow ? '1 1 10rem' : '1 1 14rem' }} maw="22rem">
      <TextInput
        type="search"
        size="xs"
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={(event) => change(event.currentTarget.value)}
        leftSection={<Icon name="search" />}
        rightSection={
          typed && <CloseButton size="xs" aria-label="Clear the search" onClick={() => change('')} />
        }
      />
      <div role="status">{searchedFor(typed) === undefined && <NotSearched typed={typed} />}</div>
    </Box>
  );
};

interface DayInputProps {
  label: string;
  /** `YYYY-MM-DD` or nothing, the bounds too. */
  value: string;
  min?: string;
  max?: string;
  onChange: (day: string) => void;
}

// While 2026 is typed, the year is 2, 20 and 202 first.
const FIRST_WHOLE_YEAR = '1000';

/** Filters a list by a day. A day is reported once its year is complete, and when the field loses focus. */
export const DayInput = ({ label, value, onChange, ...bounds }: DayInputProps) => {
  const { typed, setTyped, reported } = useTyped(value);
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
  return (
    <TextInput
      type="date"
      size="xs"
      w={140}
      label={label}
      value={typed}
      onChange={(event) => change(event.currentTarget)}
      onBlur={(event) => report(event.currentTarget.value)}
      {...bounds}
    />
  );
};
