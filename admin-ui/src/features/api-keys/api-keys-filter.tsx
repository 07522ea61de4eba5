import { Group } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Choice, narrowed } from '../../components/tables/filters.tsx';
import { SavedFilters } from '../../components/tables/saved-filters-menu.tsx';
import { SearchInput } from '../../components/tables/search-input.tsx';

const route = getRouteApi('/api-keys');

const STATUSES = [
  { value: 'active', label: 'Active' },
  { value: 'expired', label: 'Expired' },
  { value: 'revoked', label: 'Revoked' },
];

/** Filters the list of API keys; the filter is part of the address. */
export const ApiKeysFilter = () => {
  const { q = '', status } = route.useSearch();
  const navigate = route.useNavigate();
  const set = (change: Readonly<Record<string, string | null>>) =>
    void navigate({ replace: true, search: (search) => narrowed(search, change) });
  return (
    <Group gap="xs" mb="sm">
      <SearchInput label="Search names, ids and tags" value={q} onChange={(value) => set({ q: value })} />
      <Choice label="Status" options={STATUSES} value={status} onChange={(value) => set({ status: value })} />
      <SavedFilters
        list="api-keys"
        search={route.useSearch()}
        onChoose={(search) => void navigate({ search: () => narrowed({}, search) })}
      />
    </Group>
  );
};
