import { Group } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Choice, narrowed } from '../../../components/tables/filters.tsx';
import { SavedFilters } from '../../../components/tables/saved-filters-menu.tsx';
import { SearchInput } from '../../../components/tables/search-input.tsx';

const route = getRouteApi('/prompts');

const FETCHED = [
  { value: 'yes', label: 'Fetched in 7 days' },
  { value: 'no', label: 'Not fetched in 7 days' },
];

interface PromptsFilterProps {
  /** The options, once loaded. */
  readonly tags: readonly string[] | undefined;
  readonly labels: readonly string[] | undefined;
}

/** Filters the list of prompts; the filter is part of the address. */
export const PromptsFilter = ({ tags = [], labels = [] }: PromptsFilterProps) => {
  const { q = '', tag, label, fetched } = route.useSearch();
  const navigate = route.useNavigate();
  const set = (change: Readonly<Record<string, string | null>>) =>
    void navigate({ replace: true, search: (search) => narrowed(search, change) });
  return (
    <Group gap="xs" mb="sm">
      <SearchInput label="Search names, tags and text" value={q} onChange={(value) => set({ q: value })} />
      <Choice label="Tag" options={tags} value={tag} onChange={(value) => set({ tag: value })} />
      <Choice label="Label" options={labels} value={label} onChange={(value) => set({ label: value })} />
      <Choice label="Use" options={FETCHED} value={fetched} onChange={(value) => set({ fetched: value })} />
      <SavedFilters
        list="prompts"
        search={route.useSearch()}
        onChoose={(search) => void navigate({ search: () => narrowed({}, search) })}
      />
    </Group>
  );
};
