import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type LazyPart, lazyPart } from '../api/lazy-import.ts';
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

type Screen = LazyPart<() => ReactNode>;

// Not the router's own handling of missing files, which reloads the page without asking.
const screen = (load: Screen) => ({
  getParentRoute: () => root,
  component: lazyRouteComponent(async () => ({ default: await lazyPart(load) })),
});

const plain = <Path extends string>(path: Path, load: Screen) => createRoute({ ...screen(load), path });

const searched = <Path extends string, Search>(
  path: Path,
  validateSearch: (raw: Record<string, unknown>) => Search,
  load: Screen,
) => createRoute({ ...screen(load), path, validateSearch });

/** The route of every screen; each screen is loaded when it is first shown. */
export const router = createRouter({
  routeTree: root.addChildren([
    searched('/', overviewSearch, () => import('../features/overview/overview-screen.tsx')),
    searched('/prompts', promptsSearch, () => import('../features/prompts/list/prompts-screen.tsx')),
    searched(
      '/prompts/new',
      newPromptSearch,
      () => import('../features/prompts/editor/new-prompt-screen.tsx'),
    ),
    plain('/prompts/deleted', () => import('../features/prompts/list/deleted-prompts-screen.tsx')),
    searched(
      '/prompts/labels',
      labelSetSearch,
      () => import('../features/prompts/label-set/label-set-screen.tsx'),
    ),
    searched('/prompts/$promptId', promptSearch, () => import('../features/prompts/prompt-screen.tsx')),
    plain(
      '/prompts/$promptId/new-version',
      () => import('../features/prompts/editor/new-version-screen.tsx'),
    ),
    searched(
      '/prompts/$promptId/compare',
      compareSearch,
      () => import('../features/prompts/versions/compare-screen.tsx'),
    ),
    searched(
      '/prompts/$promptId/usage',
      usageSearch,
      () => import('../features/prompts/usage/usage-screen.tsx'),
    ),
    searched('/secrets', secretsSearch, () => import('../features/secrets/list/secrets-screen.tsx')),
    plain('/secrets/import', () => import('../features/secrets/import/import-secrets-screen.tsx')),
    searched(
      '/secrets/environments',
      environmentsSearch,
      () => import('../features/secrets/environments/environments-screen.tsx'),
    ),
    plain('/secrets/deleted', () => import('../features/secrets/list/deleted-secrets-screen.tsx')),
    plain('/vault', () => import('../features/secrets/vault/vault-screen.tsx')),
    plain('/secrets/$secretId', () => import('../features/secrets/secret-screen.tsx')),
    searched('/api-keys', apiKeysSearch, () => import('../features/api-keys/api-keys-screen.tsx')),
    plain('/api-keys/$keyId', () => import('../features/api-keys/api-key-screen.tsx')),
    plain('/notifications', () => import('../features/notifications/notifications-screen.tsx')),
    plain('/operators', () => import('../features/operators/operators-screen.tsx')),
    searched('/audit', auditSearch, () => import('../features/audit/audit-screen.tsx')),
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
