import { Group, Select, TextInput } from '@mantine/core';
import { localDay } from '../../components/locale.ts';
import { type ExpiryChoice, offeredBefore } from './expiry.ts';

interface ExpiryInputProps {
  readonly value: ExpiryChoice;
  readonly onChange: (value: ExpiryChoice) => void;
  /** When the key expires now, in ISO 8601: it can only expire earlier. */
  readonly until?: string | undefined;
  /** Further options, before the others. */
  readonly first?: readonly { readonly value: string; readonly label: string }[];
}

/** When a key expires: one of some options, or a day. */
export const ExpiryInput = ({ value, onChange, until, first = [] }: ExpiryInputProps) => {
  const now = new Date();
  return (
    <Group gap="xs" align="flex-end">
      <Select
        label="Expires"
        w={170}
        data={[...first, ...offeredBefore(until, now)]}
        value={value.expiry}
        onChange={(expiry) => expiry !== null && onChange({ ...value, expiry })}
      />
      {value.expiry === 'day' && (
        <TextInput
          type="date"
          aria-label="Last day"
          min={localDay(now)}
          {...(until && { max: localDay(new Date(until)) })}
          value={value.day}
          onChange={(event) => onChange({ ...value, day: event.currentTarget.value })}
        />
      )}
    </Group>
  );
};
