import { Group } from '@mantine/core';
import { Choice, SearchInput } from '../../components/tables/filters.tsx';
import { SavedFilters } from '../../components/tables/saved-filters-menu.tsx';

const STATUSES = [
  { value: 'active', label: 'Active' },
  { value: 'expired', label: 'Expired' },
  { value: 'revoked', label: 'Revoked' },
];

/** Filters the list of API keys; the filter is part of the address. */
export const ApiKeysFilter = () => (
  <Group gap="xs" mb="sm">
    <SearchInput name="q" label="Search names, ids and tags" />
    <Choice name="status" label="Status" options={STATUSES} />
    <SavedFilters list="api-keys" />
  </Group>
);
