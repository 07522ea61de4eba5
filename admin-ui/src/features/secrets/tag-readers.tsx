import { Alert, Checkbox, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readsSecret } from '../../../../contract/fields/reads-secret.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { useCan } from '../../api/session-context.tsx';
import { Muted } from '../../components/basics.tsx';
import { secretTagsQuery } from '../../components/environments.tsx';
import { listed } from '../../components/locale.ts';
import { readersQuery } from './secret-queries.ts';

interface TagsFieldProps {
  value: string[];
  onChange: (tags: string[]) => void;
  label?: string;
  description?: string;
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

/** Shows which API keys can read a secret with these tags in each environment. */
export const TagReaders = ({ environments, tags }: Record<'environments' | 'tags', readonly string[]>) => {
  const { data: keys } = useQuery(readersQuery);
  return environments.map((environment) => {
    const names = keys?.filter((key) => readsSecret(key, { environment, tags })).map(({ name }) => name);
    const of = environments.length > 1 ? ` in ${environment}` : '';
    return (
      names && (
        <Muted key={environment} role="status">
          {names.length === 0
            ? `No API key can read a secret with these tags${of}.`
            : `API keys that can read this secret${of}: ${listed(names)}.`}
        </Muted>
      )
    );
  });
};

interface WideningProps {
  /** Names of the API keys that gain access. */
  names: readonly string[];
  confirmed: boolean;
  onConfirm: (confirmed: boolean) => void;
}

/** Warns that API keys gain access to existing secrets. Only administrators can confirm it. */
export const WideningWarning = ({ names, confirmed, onConfirm }: WideningProps) => {
  const can = useCan();
  if (names.length === 0) return null;
  return (
    <Alert className="cv-break">
      API keys that could not read this before gain access: {listed(names)}.
      {can('admin') ? (
        <Checkbox
          mt="xs"
          label="Let them read it"
          checked={confirmed}
          onChange={(event) => onConfirm(event.currentTarget.checked)}
        />
      ) : (
        ' Only an administrator can save this.'
      )}
    </Alert>
  );
};
