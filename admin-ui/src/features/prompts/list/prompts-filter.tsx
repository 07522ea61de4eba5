import { Group } from '@mantine/core';
import { Choice, FoldedFilters, SearchInput } from '../../../components/tables/filters.tsx';
import { SavedFilters } from '../../../components/tables/saved-filters-menu.tsx';

const FETCHED = [
  { value: 'yes', label: 'Fetched in 7 days' },
  { value: 'no', label: 'Not fetched in 7 days' },
];

const DRAFT = [{ value: 'yes', label: 'With a draft' }];

interface PromptsFilterProps {
  /** The options, once loaded. */
  readonly tags: readonly string[] | undefined;
  readonly labels: readonly string[] | undefined;
}

/** Filters the list of prompts; the filter is part of the address. */
export const PromptsFilter = ({ tags = [], labels = [] }: PromptsFilterProps) => (
  <Group gap="xs" mb="sm">
    <SearchInput name="q" label="Search names, tags, models and notes" />
    <FoldedFilters names={['tag', 'label', 'fetched', 'draft']}>
      <Choice name="tag" label="Tag" options={tags} />
      <Choice name="label" label="Label" options={labels} />
      <Choice name="fetched" label="Use" options={FETCHED} />
      <Choice name="draft" label="Draft" options={DRAFT} />
      <SavedFilters list="prompts" />
    </FoldedFilters>
  </Group>
);
