import { TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '../../../../contract/limits.ts';
import { secretTagsQuery } from '../../components/environments.tsx';

export interface TagsFieldProps {
  readonly value: string[];
  readonly onChange: (tags: string[]) => void;
  readonly label?: string;
  readonly description?: string;
}

export const TagsField = ({ value, onChange, label = 'Tags', description }: TagsFieldProps) => {
  const known = useQuery(secretTagsQuery).data ?? [];
  const [opened, setOpened] = useState(false);
  return (
    <TagsInput
      label={label}
      description={description}
      placeholder={value.length === 0 ? 'Type one and press Enter' : ''}
      data={known}
      value={value}
      onChange={onChange}
      maxTags={LIMITS.tags}
      // Open only during a search, because it covers the content below.
      openOnFocus={false}
      dropdownOpened={opened}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      onSearchChange={(text) => setOpened(text !== '')}
      onClick={() => setOpened(true)}
    />
  );
};
