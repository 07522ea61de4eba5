import { Group } from '@mantine/core';
import { Choice, DayInput, useFilter } from '../../../components/tables/filters.tsx';
import type { Usage } from '../prompt-queries.ts';

interface UsageFiltersProps {
  /** The selected days. */
  readonly range: { readonly from: string; readonly to: string };
  readonly usage: Usage;
}

/** Filters both the chart and the access history. */
export const UsageFilters = ({ range, usage }: UsageFiltersProps) => {
  const set = useFilter();
  const versions = [...new Set(usage.counts.map(({ version }) => version))];
  const keys = usage.keys.map(({ keyId, name }) => ({ value: keyId, label: `${name} (${keyId})` }));
  return (
    <Group gap="xs" align="flex-end">
      <Choice name="key" label="API key" options={keys} width={210} labelAbove />
      <Choice name="version" label="Version" options={versions} width={120} labelAbove />
      <DayInput label="From (UTC)" value={range.from} onChange={(from) => set({ from })} />
      <DayInput label="To (UTC)" value={range.to} onChange={(to) => set({ to })} />
    </Group>
  );
};
