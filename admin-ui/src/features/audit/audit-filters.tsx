import { Checkbox, Group, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { AUDIT_ACTIONS } from '../../components/audit/audit-words.ts';
import { Choice, DayInput, narrowed } from '../../components/tables/filters.tsx';
import { SavedFilters } from '../../components/tables/saved-filters-menu.tsx';
import { SearchInput } from '../../components/tables/search-input.tsx';
import { PERIODS, periodOf, timeZone } from './audit-times.ts';

const route = getRouteApi('/audit');

const KINDS = [
  { value: 'change', label: 'Changes' },
  { value: 'read', label: 'Reads of secrets' },
  { value: 'refusal', label: 'Refused calls' },
];

/** Filters the audit log; the filter is part of the address. */
export const AuditFilters = () => {
  const filter = route.useSearch();
  const { kind, action, actor = '', subject = '', from = '', to = '', drafts } = filter;
  const period = periodOf(filter);
  const navigate = route.useNavigate();
  const set = (change: Readonly<Record<string, string | null>>) =>
    void navigate({ replace: true, search: (search) => narrowed(search, change) });
  return (
    <>
      <Group gap="xs" mb="xs" align="flex-end">
        <SearchInput
          narrow
          label="Who: e-mail or API key"
          value={actor}
          onChange={(next) => set({ actor: next })}
        />
        <SearchInput
          narrow
          label="What: name or id"
          value={subject}
          onChange={(next) => set({ subject: next })}
        />
        <Choice label="Kind" options={KINDS} value={kind} onChange={(next) => set({ kind: next })} />
        <Choice
          label="Action"
          options={[...AUDIT_ACTIONS]}
          value={action}
          onChange={(next) => set({ action: next })}
        />
        <Choice
          label="Period"
          options={PERIODS}
          value={period}
          clearable={false}
          onChange={(next) => set({ period: next === '30' ? null : next, from: null, to: null })}
        />
        {period === 'days' && (
          <Group gap="xs" wrap="nowrap" align="flex-end">
            <DayInput
              label="From"
              value={from}
              max={to}
              onChange={(next) => set({ period: 'days', from: next })}
            />
            <DayInput
              label="To"
              value={to}
              min={from}
              onChange={(next) => set({ period: 'days', to: next })}
            />
          </Group>
        )}
        <SavedFilters
          list="audit"
          search={filter}
          onChoose={(search) => void navigate({ search: () => narrowed({}, search) })}
        />
      </Group>
      <Group gap="lg" mb="sm">
        <Checkbox
          size="xs"
          label="Show drafts"
          checked={drafts === 'yes'}
          onChange={(event) => set({ drafts: event.currentTarget.checked ? 'yes' : null })}
        />
        <Text size="xs" c="dimmed">
          Days and times are in the time zone {timeZone()}.
        </Text>
      </Group>
    </>
  );
};
