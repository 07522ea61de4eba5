import type { Environments } from '../../store/vault/environments.ts';

/** The environments that exist, in their order. */
export const environmentsOf = ({ environments, revision }: Environments) => ({
  environments: environments
    .filter(({ state }) => state !== 'removed')
    .map(({ name, state }) => ({ name, isNew: state === 'new' })),
  revision,
});
