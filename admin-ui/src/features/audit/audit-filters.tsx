import { Group } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { AUDIT_ACTIONS } from '../../components/audit/audit-words.ts';
import { Choice, DayInput, narrowed } from '../../components/tables/filters.tsx';
import { SearchInput } from '../../components/tables/search-input.tsx';

const route = getRouteApi('/audit');

const KINDS = [
  { value: 'change', label: 'Changes' },
  { value: 'read', label: 'Reads of secrets' },
  { value: 'refusal', label: 'Refused calls' },
];

/** Filters the audit log; the filter is part of the address. */
export const AuditFilters = () => {
  const { kind, action, actor = '', subject = '', from = '', to = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const set = (change: Readonly<Record<string, string | null>>) =>
    void navigate({ replace: true, search: (search) => narrowed(search, change) });
  return (
    <Group gap="xs" mb="sm" align="flex-end">
      <SearchInput label="Who: e-mail or API key" value={actor} onChange={(next) => set({ actor: next })} />
      <SearchInput label="What: name or id" value={subject} onChange={(next) => set({ subject: next })} />
      <Choice
        label="Kind"
        options={KINDS}
        value={kind}
        onChange={(next) => set({ kind: next })}
        width={155}
      />
      <Choice
        label="Action"
        options={[...AUDIT_ACTIONS]}
        value={action}
        onChange={(next) => set({ action: next })}
        width={155}
      />
      <DayInput label="From (UTC)" value={from} max={to} onChange={(next) => set({ from: next })} />
      <DayInput label="To (UTC)" value={to} min={from} onChange={(next) => set({ to: next })} />
    </Group>
  );
};
