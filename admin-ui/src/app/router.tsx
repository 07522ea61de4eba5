import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { lazyImport } from '../api/lazy-import.ts';
import { ErrorState, Loading, NotFound } from '../components/states.tsx';
import {
  apiKeysSearch,
  auditSearch,
  compareSearch,
  environmentsSearch,
  labelSetSearch,
  newPromptSearch,
  overviewSearch,
  promptSearch,
  promptsSearch,
  secretsSearch,
  usageSearch,
} from './search.ts';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: () => <NotFound /> });

type Screens<Name extends string> = () => Promise<Record<Name, () => ReactNode>>;

// Not the router's own handling of missing files, which reloads the page without asking.
const screen = <Name extends string>(load: Screens<Name>, name: Name) => ({
  getParentRoute: () => root,
  component: lazyRouteComponent(() => lazyImport(load), name),
});

const plain = <Path extends string, Name extends string>(path: Path, load: Screens<Name>, name: Name) =>
  createRoute({ ...screen(load, name), path });

const searched = <Path extends string, Search, Name extends string>(
  path: Path,
  validateSearch: (raw: Record<string, unknown>) => Search,
  load: Screens<Name>,
  name: Name,
) => createRoute({ ...screen(load, name), path, validateSearch });

/** The route of every screen; each screen is loaded when it is first shown. */
export const router = createRouter({
  routeTree: root.addChildren([
    searched('/', overviewSearch, () => import('../features/overview/overview-screen.tsx'), 'OverviewScreen'),
    searched(
      '/prompts',
      promptsSearch,
      () => import('../features/prompts/list/prompts-screen.tsx'),
      'PromptsScreen',
    ),
    searched(
      '/prompts/new',
      newPromptSearch,
      () => import('../features/prompts/editor/new-prompt-screen.tsx'),
      'NewPromptScreen',
    ),
    plain(
      '/prompts/deleted',
      () => import('../features/prompts/list/deleted-prompts-screen.tsx'),
      'DeletedPromptsScreen',
    ),
    searched(
      '/prompts/labels',
      labelSetSearch,
      () => import('../features/prompts/label-set/label-set-screen.tsx'),
      'LabelSetScreen',
    ),
    searched(
      '/prompts/$promptId',
      promptSearch,
      () => import('../features/prompts/prompt-screen.tsx'),
      'PromptScreen',
    ),
    plain(
      '/prompts/$promptId/new-version',
      () => import('../features/prompts/editor/new-version-screen.tsx'),
      'NewVersionScreen',
    ),
    searched(
      '/prompts/$promptId/compare',
      compareSearch,
      () => import('../features/prompts/versions/compare-screen.tsx'),
      'CompareScreen',
    ),
    searched(
      '/prompts/$promptId/usage',
      usageSearch,
      () => import('../features/prompts/usage/usage-screen.tsx'),
      'UsageScreen',
    ),
    searched(
      '/secrets',
      secretsSearch,
      () => import('../features/secrets/list/secrets-screen.tsx'),
      'SecretsScreen',
    ),
    plain(
      '/secrets/import',
      () => import('../features/secrets/import/import-secrets-screen.tsx'),
      'ImportSecretsScreen',
    ),
    searched(
      '/secrets/environments',
      environmentsSearch,
      () => import('../features/secrets/environments/environments-screen.tsx'),
      'EnvironmentsScreen',
    ),
    plain(
      '/secrets/deleted',
      () => import('../features/secrets/list/deleted-secrets-screen.tsx'),
      'DeletedSecretsScreen',
    ),
    plain('/vault', () => import('../features/secrets/vault/vault-screen.tsx'), 'VaultScreen'),
    plain('/secrets/$secretId', () => import('../features/secrets/secret-screen.tsx'), 'SecretScreen'),
    searched(
      '/api-keys',
      apiKeysSearch,
      () => import('../features/api-keys/api-keys-screen.tsx'),
      'ApiKeysScreen',
    ),
    plain('/api-keys/$keyId', () => import('../features/api-keys/api-key-screen.tsx'), 'ApiKeyScreen'),
    plain(
      '/notifications',
      () => import('../features/notifications/notifications-screen.tsx'),
      'NotificationsScreen',
    ),
    plain('/operators', () => import('../features/operators/operators-screen.tsx'), 'OperatorsScreen'),
    searched('/audit', auditSearch, () => import('../features/audit/audit-screen.tsx'), 'AuditScreen'),
  ]),
  // Otherwise invalid values stay in the address and reach the screens and the service.
  search: { strict: true },
  defaultPreload: 'intent',
  defaultPendingComponent: () => <Loading />,
  // `Loading` delays its own appearance, and needs no minimum duration.
  defaultPendingMs: 0,
  defaultPendingMinMs: 0,
  defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} retry={reset} />,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
