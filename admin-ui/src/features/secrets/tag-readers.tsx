import { Alert, Checkbox, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRole } from '../../api/session-context.tsx';
import { listed } from '../../components/count.ts';
import { tagReadersQuery } from './secret-queries.ts';

const NAMED = 10;

interface TagReadersProps {
  readonly environments: readonly string[];
  readonly tags: readonly string[];
}

/** Shows which API keys can read a secret with these tags in each environment. */
export const TagReaders = ({ environments, tags }: TagReadersProps) =>
  environments.map((environment) => (
    <ReadersIn
      key={environment}
      environment={environment}
      tags={tags}
      of={environments.length > 1 ? ` in ${environment}` : ''}
    />
  ));

const ReadersIn = ({
  environment,
  tags,
  of,
}: {
  environment: string;
  tags: readonly string[];
  of: string;
}) => {
  const { data } = useQuery({ ...tagReadersQuery(environment, tags), placeholderData: keepPreviousData });
  if (data === undefined) return null;
  return (
    <Text c="dimmed" className="cv-break" role="status">
      {data.length === 0
        ? `No API key can read a secret with these tags${of}.`
        : `API keys that can read this secret${of}: ${listed(
            data.map(({ apiKeyName }) => apiKeyName),
            NAMED,
          )}.`}
    </Text>
  );
};

/** Names of the API keys that can read a secret with these tags, other than those that can read it now. */
export const useNewReaders = (
  environment: string,
  tags: readonly string[],
  now: readonly string[],
): readonly string[] => {
  const { data = [] } = useQuery(tagReadersQuery(environment, tags));
  return data.filter(({ apiKeyId }) => !now.includes(apiKeyId)).map(({ apiKeyName }) => apiKeyName);
};

interface WideningProps {
  /** Names of the API keys that gain access. */
  readonly names: readonly string[];
  readonly confirmed: boolean;
  readonly onConfirm: (confirmed: boolean) => void;
}

/** Warns that API keys gain access to existing secrets. Only administrators can confirm it. */
export const WideningWarning = ({ names, confirmed, onConfirm }: WideningProps) => {
  const { can } = useRole();
  if (names.length === 0) return null;
  return (
    <Alert color="amber" className="cv-break">
      API keys that could not read this before gain access: {listed(names, NAMED)}.
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
