import { Checkbox, Group } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { AUDIT_ACTIONS } from '../../components/audit/audit-words.ts';
import { Small } from '../../components/small.tsx';
import { Choice, DayInput, SearchInput, useFilter } from '../../components/tables/filters.tsx';
import { SavedFilters } from '../../components/tables/saved-filters-menu.tsx';
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
  const { from = '', to = '', drafts } = filter;
  const period = periodOf(filter);
  const set = useFilter();
  return (
    <>
      <Group gap="xs" mb="xs" align="flex-end">
        <SearchInput narrow name="actor" label="Who: e-mail or API key" />
        <SearchInput narrow name="subject" label="What: name or id" />
        <Choice name="kind" label="Kind" options={KINDS} />
        <Choice name="action" label="Action" options={AUDIT_ACTIONS} />
        <Choice
          name="period"
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
        <SavedFilters list="audit" />
      </Group>
      <Group gap="lg" mb="sm">
        <Checkbox
          size="xs"
          label="Show drafts"
          checked={drafts === 'yes'}
          onChange={(event) => set({ drafts: event.currentTarget.checked ? 'yes' : null })}
        />
        <Small>Days and times are in the time zone {timeZone()}.</Small>
      </Group>
    </>
  );
};
