import { Group } from '@mantine/core';
import { useEnvironments } from '../../../components/environments.tsx';
import { Choice, SearchInput } from '../../../components/tables/filters.tsx';
import { SavedFilters } from '../../../components/tables/saved-filters-menu.tsx';

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
  const environments = useEnvironments();
  return (
    <Group gap="xs" mb="sm">
      <SearchInput name="q" label="Search keys and tags" />
      {environments.length > 1 && (
        <Choice
          name="environment"
          label="Environment"
          placeholder="All environments"
          options={environments.map(({ name }) => name)}
          width={170}
        />
      )}
      <Choice name="tag" label="Tag" options={tags} />
      <Choice name="read" label="Use" options={READ} width={170} />
      <Choice name="rotate" label="Rotation" options={ROTATION} width={210} />
      <SavedFilters list="secrets" />
    </Group>
  );
};
