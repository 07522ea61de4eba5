import { Group } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Choice, narrowed } from '../../../components/tables/filters.tsx';
import { SavedFilters } from '../../../components/tables/saved-filters-menu.tsx';
import { SearchInput } from '../../../components/tables/search-input.tsx';

const route = getRouteApi('/secrets');

const READ = [
  { value: 'yes', label: 'Read in 30 days' },
  { value: 'no', label: 'Not read in 30 days' },
];

const ROTATION = [
  { value: 'overdue', label: 'Rotation overdue' },
  { value: 'soon', label: 'Rotate within 14 days' },
  { value: 'unfinished', label: 'Old credential not disabled' },
];

/** Filters the list of secrets; the filter is part of the address. */
export const SecretsFilter = ({ tags = [] }: { tags: readonly string[] | undefined }) => {
  const { q = '', tag, read, rotate } = route.useSearch();
  const navigate = route.useNavigate();
  const set = (change: Readonly<Record<string, string | null>>) =>
    void navigate({ replace: true, search: (search) => narrowed(search, change) });
  return (
    <Group gap="xs" mb="sm">
      <SearchInput label="Search keys and tags" value={q} onChange={(value) => set({ q: value })} />
      <Choice label="Tag" options={tags} value={tag} onChange={(value) => set({ tag: value })} />
      <Choice
        label="Use"
        options={READ}
        value={read}
        onChange={(value) => set({ read: value })}
        width={170}
      />
      <Choice
        label="Rotation"
        options={ROTATION}
        value={rotate}
        onChange={(value) => set({ rotate: value })}
        width={210}
      />
      <SavedFilters
        list="secrets"
        search={route.useSearch()}
        onChoose={(search) => void navigate({ search: () => narrowed({}, search) })}
      />
    </Group>
  );
};
