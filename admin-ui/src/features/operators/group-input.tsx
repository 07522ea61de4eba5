import { Radio, Stack } from '@mantine/core';
import type { Role } from '../../../../contract/fields/access.ts';

const GROUPS: readonly { readonly value: Role; readonly description: string }[] = [
  { value: 'viewer', description: 'Reads everything except the values of secrets.' },
  { value: 'editor', description: 'Also changes prompts and secrets.' },
  { value: 'admin', description: 'Also manages API keys, the vault and operators.' },
];

export const GroupInput = ({ value, onChange }: { value: Role; onChange: (group: Role) => void }) => (
  <Radio.Group label="Group" value={value} onChange={(group) => onChange(group as Role)}>
    <Stack gap="xs" mt={6}>
      {GROUPS.map((group) => (
        <Radio key={group.value} label={group.value} {...group} />
      ))}
    </Stack>
  </Radio.Group>
);
