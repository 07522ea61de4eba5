import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Unreachable } from '../api/api-error.ts';
import { lazyImport } from '../api/lazy-import.ts';
import { ErrorState, Loading, NotFound } from '../components/states.tsx';
import {
  apiKeysSearch,
  auditSearch,
  compareSearch,
  environmentSearch,
  labelSetSearch,
  liveSearch,
  newPromptSearch,
  overviewSearch,
  promptSearch,
  promptsSearch,
  secretsSearch,
  usageSearch,
} from './search.ts';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: () => <NotFound /> });

type Screen = () => ReactNode;

/** A screen of a section, whose screens load together, when one of them is first shown. */
const screen =
  <Name extends string>(load: () => Promise<Readonly<Record<Name, Screen>>>) =>
  (name: Name) => ({
    getParentRoute: () => root,
    // Not the router's own handling of missing files, which reloads the page without asking.
    component: lazyRouteComponent(async () => ({ default: (await lazyImport(load))[name] })),
  });

const overview = screen(() => import('../features/overview/overview-screen.tsx'));
const prompts = screen(() => import('../features/prompts/screens.ts'));
const editor = screen(() => import('../features/prompts/editor/screens.ts'));
const secrets = screen(() => import('../features/secrets/screens.ts'));
const importing = screen(() => import('../features/secrets/import/import-secrets-screen.tsx'));
const whoHas = screen(() => import('../features/secrets/who-has-screen.tsx'));
const apiKeys = screen(() => import('../features/api-keys/screens.ts'));
const notifications = screen(() => import('../features/notifications/notifications-screen.tsx'));
const operators = screen(() => import('../features/operators/operators-screen.tsx'));
const audit = screen(() => import('../features/audit/audit-screen.tsx'));

const plain = <Path extends string>(path: Path, options: ReturnType<typeof overview>) =>
  createRoute({ ...options, path });

const searched = <Path extends string, Search>(
  path: Path,
  validateSearch: (raw: Record<string, unknown>) => Search,
  options: ReturnType<typeof overview>,
) => createRoute({ ...options, path, validateSearch });

export const router = createRouter({
  routeTree: root.addChildren([
    searched('/', overviewSearch, overview('OverviewScreen')),
    searched('/prompts', promptsSearch, prompts('PromptsScreen')),
    searched('/prompts/new', newPromptSearch, editor('NewPromptScreen')),
    plain('/prompts/deleted', prompts('DeletedPromptsScreen')),
    searched('/prompts/labels', labelSetSearch, prompts('LabelSetScreen')),
    searched('/prompts/live', liveSearch, prompts('LiveScreen')),
    searched('/prompts/$promptId', promptSearch, prompts('PromptScreen')),
    plain('/prompts/$promptId/new-version', editor('NewVersionScreen')),
    searched('/prompts/$promptId/compare', compareSearch, prompts('CompareScreen')),
    searched('/prompts/$promptId/usage', usageSearch, prompts('UsageScreen')),
    searched('/secrets', secretsSearch, secrets('SecretsScreen')),
    searched('/secrets/import', environmentSearch, importing('ImportSecretsScreen')),
    plain('/secrets/who-has', whoHas('WhoHasScreen')),
    searched('/secrets/deleted', environmentSearch, secrets('DeletedSecretsScreen')),
    searched('/vault', environmentSearch, secrets('VaultScreen')),
    searched('/secrets/$secretId', environmentSearch, secrets('SecretScreen')),
    searched('/api-keys', apiKeysSearch, apiKeys('ApiKeysScreen')),
    plain('/api-keys/$keyId', apiKeys('ApiKeyScreen')),
    plain('/notifications', notifications('NotificationsScreen')),
    plain('/operators', operators('OperatorsScreen')),
    searched('/audit', auditSearch, audit('AuditScreen')),
  ]),
  // Otherwise invalid values stay in the address and reach the screens and the service.
  search: { strict: true },
  defaultPreload: 'intent',
  defaultPendingComponent: () => <Loading />,
  // `Loading` delays its own appearance, and needs no minimum duration.
  defaultPendingMs: 0,
  defaultPendingMinMs: 0,
  // The router keeps the failure of a screen that could not be loaded.
  defaultErrorComponent: ({ error, reset }) => (
    <ErrorState error={error} retry={error instanceof Unreachable ? () => location.reload() : reset} />
  ),
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
