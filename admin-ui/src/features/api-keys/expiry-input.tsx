import { Group, Select, TextInput } from '@mantine/core';
import { localDay } from '../../components/when.tsx';

export interface ExpiryChoice {
  readonly expiry: string;
  /** `YYYY-MM-DD`, for the choice `day`. */
  readonly day: string;
}

interface ExpiryInputProps extends ExpiryChoice {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (change: Partial<ExpiryChoice>) => void;
}

/** When a key expires: one of some options, or a day. */
export const ExpiryInput = ({ expiry, day, options, onChange }: ExpiryInputProps) => (
  <Group gap="xs" align="flex-end">
    <Select
      label="Expires"
      w={170}
      data={[...options]}
      value={expiry}
      onChange={(next) => next !== null && onChange({ expiry: next })}
    />
    {expiry === 'day' && (
      <TextInput
        type="date"
        aria-label="Last day"
        min={localDay(new Date())}
        value={day}
        onChange={(event) => onChange({ day: event.currentTarget.value })}
      />
    )}
  </Group>
);
