import { Badge } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { secretsList } from '../../../contract/endpoints/secrets.ts';
import { DEFAULT_ENVIRONMENT } from '../../../contract/fields/patterns.ts';
import { call, type SessionState } from '../api/client.ts';
import { sessionQuery } from '../api/session-context.tsx';
import { Icon } from './icons.tsx';

/** The query key of everything about secrets: a change invalidates all of it. Values are never read. */
export const SECRETS_KEY = ['secrets'];

/** All tags of secrets, of all environments. */
export const secretTagsQuery = queryOptions({
  queryKey: [...SECRETS_KEY, 'tags'],
  queryFn: async ({ signal }) =>
    (await call(secretsList, { query: { environment: '*', limit: 1 }, signal })).tags,
});

export type Environments = NonNullable<NonNullable<SessionState>['environments']>;
export type Environment = Environments['environments'][number];

/** The environments in their order; none until they are known. */
export const useEnvironments = (): readonly Environment[] =>
  useQuery(sessionQuery).data?.environments?.environments ?? [];

/** Where a secret is: ids are those of an environment. */
export interface SecretRef {
  readonly environment: string;
  readonly secretId: string;
}

/** The environment in the address of a screen about one of them. */
export const useEnvironment = (): string => useSearch({ strict: false }).environment ?? DEFAULT_ENVIRONMENT;

/** The query parameters of the address of a screen about an environment. */
export const inAddress = (environment: string) =>
  environment === DEFAULT_ENVIRONMENT ? {} : { environment };

/** The link to a secret. */
export const secretPage = ({ environment, secretId, key }: SecretRef & { readonly key?: string }) =>
  ({
    to: '/secrets/$secretId',
    params: { secretId },
    search: inAddress(environment),
    state: { title: key },
  }) as const;

/** Names an environment, if there are several, with a flag if administrators have marked it as critical. */
export const EnvironmentMark = ({ name }: { name: string }) => {
  const all = useEnvironments();
  if (all.length < 2) return null;
  const isCritical = all.some((each) => each.name === name && each.isCritical);
  return (
    <Badge
      size="md"
      color={isCritical ? 'plum' : 'gray'}
      variant={isCritical ? 'filled' : 'light'}
      leftSection={isCritical && <Icon name="flag-3" size={12} label="Critical:" />}
      flex="none"
    >
      {name}
    </Badge>
  );
};

/** " of staging", if there are several environments. */
export const useOf = (): ((environment: string) => string) => {
  const all = useEnvironments();
  return (environment) => (all.length < 2 ? '' : ` of ${environment}`);
};

/** Stands beside the title of a screen about what applications can read, while they get no secrets. */
export const StoppedMark = () => {
  const of = useOf();
  const stopped = useEnvironments().filter((each) => each.stopped !== null);
  return stopped.map(({ name }) => (
    <Badge key={name} size="md" color="brick">
      secrets{of(name)} are not served
    </Badge>
  ));
};
