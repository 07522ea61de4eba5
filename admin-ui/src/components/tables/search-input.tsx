import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 200;

export interface SearchInputProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What is searched, such as "Search names, tags and text". */
  readonly label: string;
  /** Whether it stands in a row with many other filters. @default false */
  readonly narrow?: boolean;
}

/** A field that reports its input when typing pauses. */
export const SearchInput = ({ value, onChange, label, narrow = false }: SearchInputProps) => {
  const [typed, setTyped] = useState(value);
  const reported = useRef(value);
  const report = useDebouncedCallback((next: string) => {
    reported.current = next;
    onChange(next);
  }, PAUSE_MS);
  useEffect(() => {
    // The value that comes back from typing is older than the content of the field.
    if (value !== reported.current) setTyped(value);
    reported.current = value;
  }, [value]);
  const change = (next: string) => {
    setTyped(next);
    report(next);
  };
  return (
    <TextInput
      type="search"
      size="xs"
      aria-label={label}
      placeholder={label}
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={
        typed && <CloseButton size="xs" aria-label="Clear the search" onClick={() => change('')} />
      }
      style={{ flex: narrow ? '1 1 10rem' : '1 1 14rem', maxWidth: '22rem' }}
    />
  );
};
