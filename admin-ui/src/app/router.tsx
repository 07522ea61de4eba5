import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type StaticDataRouteOption,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Unreachable } from '../api/api-error.ts';
import { lazyImport } from '../api/lazy-import.ts';
import { Screen } from '../components/screen.tsx';
import { ErrorState, Loading, NotFound } from '../components/states.tsx';
import { Shell } from './shell/shell.tsx';

type Raw = Record<string, unknown>;
type Fields = Readonly<Record<string, (value: unknown) => unknown>>;
type Given<F extends Fields> = { readonly [Name in keyof F]?: Exclude<ReturnType<F[Name]>, undefined> };

/**
 * Reads the query parameters of a screen. Invalid and unknown ones become undefined: the router merges the results with the
 * address, so that one that was left out would stay.
 */
const search =
  <const F extends Fields>(fields: F) =>
  (raw: Raw): Given<F> => {
    const none = Object.keys(raw).map((name) => [name, undefined]);
    const read = Object.entries(fields).map(([name, readAs]) => [name, readAs(raw[name])]);
    return Object.fromEntries([...none, ...read]) as Given<F>;
  };

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

const oneOf =
  <const Words extends readonly string[]>(...words: Words) =>
  (value: unknown): Words[number] | undefined =>
    words.find((word) => word === text(value));

const day = (value: unknown): string | undefined => {
  const named = text(value) ?? '';
  const time = /^\d{4}-\d{2}-\d{2}$/.test(named) ? Date.parse(named) : Number.NaN;
  // February 31 is a day in March for the parser.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(named) ? named : undefined;
};

const order = oneOf('asc', 'desc');

/** Of screens about the secrets of one environment. */
const environmentSearch = search({ environment: text });

const root = createRootRoute({ component: Shell, notFoundComponent: () => <NotFound /> });

/** A screen of a section, whose screens load together, when one of them is first shown. */
const screen =
  <Name extends string>(load: () => Promise<Readonly<Record<Name, () => ReactNode>>>) =>
  (name: Name, title: string, list?: StaticDataRouteOption['list']) => ({
    getParentRoute: () => root,
    staticData: { title, list },
    // Not the router's own handling of missing files, which reloads the page without asking.
    component: lazyRouteComponent(async () => ({ default: (await lazyImport(load))[name] })),
  });

const overview = screen(() => import('../features/overview/overview-screen.tsx'));
const prompts = screen(() => import('../features/prompts/screens.ts'));
const editor = screen(() => import('../features/prompts/editor/screens.ts'));
const secrets = screen(() => import('../features/secrets/screens.ts'));
const importing = screen(() => import('../features/secrets/import-screen.tsx'));
const whoHas = screen(() => import('../features/secrets/who-has-screen.tsx'));
const apiKeys = screen(() => import('../features/api-keys/screens.ts'));
const notifications = screen(() => import('../features/notifications/notifications-screen.tsx'));
const operators = screen(() => import('../features/operators/operators-screen.tsx'));
const audit = screen(() => import('../features/audit/audit-screen.tsx'));

const at = <Path extends string, Search>(
  path: Path,
  validateSearch: (raw: Raw) => Search,
  options: ReturnType<typeof overview>,
) => createRoute({ ...options, path, validateSearch });

export const router = createRouter({
  routeTree: root.addChildren([
    at('/', search({ days: oneOf('7', '14', '30') }), overview('OverviewScreen', 'Overview')),
    at(
      '/prompts',
      search({
        q: text,
        texts: oneOf('yes'),
        tag: text,
        label: text,
        folder: text,
        fetched: oneOf('yes', 'no'),
        draft: oneOf('yes'),
        sort: oneOf('name', 'changed', 'fetches', 'fetched'),
        order,
      }),
      prompts('PromptsScreen', 'Prompts'),
    ),
    at('/prompts/new', search({ from: text }), editor('NewPromptScreen', 'New prompt', '/prompts')),
    at('/prompts/deleted', search({}), prompts('DeletedPromptsScreen', 'Deleted prompts', '/prompts')),
    at(
      '/prompts/live',
      search({ label: text, since: oneOf('hour', 'day', 'week', 'month') }),
      prompts('LiveScreen', 'What is live', '/prompts'),
    ),
    at(
      '/prompts/$promptId',
      search({ version: text, tab: oneOf('template', 'try', 'use') }),
      prompts('PromptScreen', 'Prompt', '/prompts'),
    ),
    at('/prompts/$promptId/new-version', search({}), editor('NewVersionScreen', 'New version', '/prompts')),
    at(
      '/prompts/$promptId/compare',
      search({ from: text, to: text }),
      prompts('CompareScreen', 'Compare versions', '/prompts'),
    ),
    at(
      '/prompts/$promptId/usage',
      search({
        days: oneOf('1', '7', '14', '30', '90'),
        key: text,
        version: text,
        by: oneOf('version'),
        tab: oneOf('keys', 'changes'),
      }),
      prompts('UsageScreen', 'Usage and access history', '/prompts'),
    ),
    at(
      '/secrets',
      search({
        environment: text,
        q: text,
        tag: text,
        read: oneOf('yes', 'no'),
        rotate: oneOf('overdue', 'soon', 'unfinished'),
        sort: oneOf('key', 'changed', 'read', 'gaps'),
        order,
      }),
      secrets('SecretsScreen', 'Secrets'),
    ),
    at('/secrets/import', environmentSearch, importing('ImportSecretsScreen', 'Import secrets', '/secrets')),
    at('/secrets/who-has', search({}), whoHas('WhoHasScreen', 'Who has this value?', '/secrets')),
    at('/secrets/deleted', environmentSearch, secrets('DeletedSecretsScreen', 'Deleted secrets', '/secrets')),
    at('/vault', environmentSearch, secrets('VaultScreen', 'Vault')),
    at('/secrets/$secretId', environmentSearch, secrets('SecretScreen', 'Secret', '/secrets')),
    at(
      '/api-keys',
      search({
        q: text,
        status: oneOf('active', 'expired', 'revoked'),
        sort: oneOf('name', 'used', 'expires', 'created'),
        order,
      }),
      apiKeys('ApiKeysScreen', 'API keys'),
    ),
    at('/api-keys/$keyId', search({}), apiKeys('ApiKeyScreen', 'API key', '/api-keys')),
    at('/notifications', search({}), notifications('NotificationsScreen', 'Notifications')),
    at('/operators', search({}), operators('OperatorsScreen', 'Operators')),
    at(
      '/audit',
      search({
        kind: oneOf('change', 'read', 'refusal'),
        action: text,
        actor: text,
        subject: text,
        drafts: oneOf('yes'),
        period: oneOf('hour', 'today', 'yesterday', '7', '30', '90', 'days'),
        from: day,
        to: day,
        entry: text,
      }),
      audit('AuditScreen', 'Audit'),
    ),
  ]),
  // Otherwise invalid values stay in the address and reach the screens and the service.
  search: { strict: true },
  defaultPreload: 'intent',
  defaultPendingComponent: () => (
    <Screen>
      <Loading />
    </Screen>
  ),
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
