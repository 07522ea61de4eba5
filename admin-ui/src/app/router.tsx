import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { lazyImport } from '../api/lazy-import.ts';
import { ErrorState, Loading, NotFound } from '../components/states.tsx';
import {
  apiKeysSearch,
  auditSearch,
  compareSearch,
  environmentsSearch,
  overviewSearch,
  promptSearch,
  promptsSearch,
  secretsSearch,
  usageSearch,
} from './search.ts';
import { Shell } from './shell/shell.tsx';

// Not the router's own handling of missing files, which reloads the page without asking.
const screen = <Name extends string, Part extends Record<Name, () => ReactNode>>(
  load: () => Promise<Part>,
  name: Name,
) => lazyRouteComponent(() => lazyImport(load), name);

const root = createRootRoute({ component: Shell, notFoundComponent: () => <NotFound /> });

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: overviewSearch,
  component: screen(() => import('../features/overview/overview-screen.tsx'), 'OverviewScreen'),
});

const prompts = createRoute({
  getParentRoute: () => root,
  path: '/prompts',
  validateSearch: promptsSearch,
  component: screen(() => import('../features/prompts/list/prompts-screen.tsx'), 'PromptsScreen'),
});

const newPrompt = createRoute({
  getParentRoute: () => root,
  path: '/prompts/new',
  component: screen(() => import('../features/prompts/editor/new-prompt-screen.tsx'), 'NewPromptScreen'),
});

const deletedPrompts = createRoute({
  getParentRoute: () => root,
  path: '/prompts/deleted',
  component: screen(
    () => import('../features/prompts/list/deleted-prompts-screen.tsx'),
    'DeletedPromptsScreen',
  ),
});

const prompt = createRoute({
  getParentRoute: () => root,
  path: '/prompts/$promptId',
  validateSearch: promptSearch,
  component: screen(() => import('../features/prompts/prompt-screen.tsx'), 'PromptScreen'),
});

const newVersion = createRoute({
  getParentRoute: () => root,
  path: '/prompts/$promptId/new-version',
  component: screen(() => import('../features/prompts/editor/new-version-screen.tsx'), 'NewVersionScreen'),
});

const compare = createRoute({
  getParentRoute: () => root,
  path: '/prompts/$promptId/compare',
  validateSearch: compareSearch,
  component: screen(() => import('../features/prompts/versions/compare-screen.tsx'), 'CompareScreen'),
});

const usage = createRoute({
  getParentRoute: () => root,
  path: '/prompts/$promptId/usage',
  validateSearch: usageSearch,
  component: screen(() => import('../features/prompts/usage/usage-screen.tsx'), 'UsageScreen'),
});

const secrets = createRoute({
  getParentRoute: () => root,
  path: '/secrets',
  validateSearch: secretsSearch,
  component: screen(() => import('../features/secrets/list/secrets-screen.tsx'), 'SecretsScreen'),
});

const importSecrets = createRoute({
  getParentRoute: () => root,
  path: '/secrets/import',
  component: screen(
    () => import('../features/secrets/import/import-secrets-screen.tsx'),
    'ImportSecretsScreen',
  ),
});

const environments = createRoute({
  getParentRoute: () => root,
  path: '/secrets/environments',
  validateSearch: environmentsSearch,
  component: screen(
    () => import('../features/secrets/environments/environments-screen.tsx'),
    'EnvironmentsScreen',
  ),
});

const deletedSecrets = createRoute({
  getParentRoute: () => root,
  path: '/secrets/deleted',
  component: screen(
    () => import('../features/secrets/list/deleted-secrets-screen.tsx'),
    'DeletedSecretsScreen',
  ),
});

const vault = createRoute({
  getParentRoute: () => root,
  path: '/vault',
  component: screen(() => import('../features/secrets/vault/vault-screen.tsx'), 'VaultScreen'),
});

const secret = createRoute({
  getParentRoute: () => root,
  path: '/secrets/$secretId',
  component: screen(() => import('../features/secrets/secret-screen.tsx'), 'SecretScreen'),
});

const apiKeys = createRoute({
  getParentRoute: () => root,
  path: '/api-keys',
  validateSearch: apiKeysSearch,
  component: screen(() => import('../features/api-keys/api-keys-screen.tsx'), 'ApiKeysScreen'),
});

const apiKey = createRoute({
  getParentRoute: () => root,
  path: '/api-keys/$keyId',
  component: screen(() => import('../features/api-keys/api-key-screen.tsx'), 'ApiKeyScreen'),
});

const operators = createRoute({
  getParentRoute: () => root,
  path: '/operators',
  component: screen(() => import('../features/operators/operators-screen.tsx'), 'OperatorsScreen'),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: auditSearch,
  component: screen(() => import('../features/audit/audit-screen.tsx'), 'AuditScreen'),
});

const webhook = createRoute({
  getParentRoute: () => root,
  path: '/audit/webhook',
  component: screen(() => import('../features/audit/webhook/webhook-screen.tsx'), 'WebhookScreen'),
});

/** The route of every screen; each screen is loaded when it is first shown. */
export const router = createRouter({
  routeTree: root.addChildren([
    overview,
    prompts,
    newPrompt,
    deletedPrompts,
    prompt,
    newVersion,
    compare,
    usage,
    secrets,
    importSecrets,
    environments,
    deletedSecrets,
    vault,
    secret,
    apiKeys,
    apiKey,
    operators,
    audit,
    webhook,
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
