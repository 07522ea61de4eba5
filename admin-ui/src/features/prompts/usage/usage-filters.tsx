import { Group } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Choice, DayInput, narrowed } from '../../../components/tables/filters.tsx';
import type { Usage } from '../prompt-queries.ts';
import type { AccessFilter } from './access-queries.ts';

const route = getRouteApi('/prompts/$promptId/usage');

interface UsageFiltersProps {
  readonly filter: AccessFilter;
  /** The selected days. */
  readonly range: { readonly from: string; readonly to: string };
  readonly usage: Usage;
}

/** Filters both the chart and the access history. */
export const UsageFilters = ({ filter, range, usage }: UsageFiltersProps) => {
  const navigate = route.useNavigate();
  const set = (change: Readonly<Record<string, string | null>>) =>
    void navigate({ replace: true, search: (search) => narrowed(search, change) });
  const versions = [...new Set(usage.counts.map(({ version }) => version))];
  const keys = usage.keys.map(({ keyId, name }) => ({ value: keyId, label: `${name} (${keyId})` }));
  return (
    <Group gap="xs" align="flex-end">
      <Choice
        label="API key"
        options={keys}
        value={filter.key}
        onChange={(key) => set({ key })}
        width={210}
        labelAbove
      />
      <Choice
        label="Version"
        options={versions}
        value={filter.version}
        onChange={(version) => set({ version })}
        width={120}
        labelAbove
      />
      <DayInput label="From (UTC)" value={range.from} onChange={(from) => set({ from })} />
      <DayInput label="To (UTC)" value={range.to} onChange={(to) => set({ to })} />
    </Group>
  );
};
