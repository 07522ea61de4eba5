import { isDeepStrictEqual } from 'node:util';
import type { Json, Resource } from '../stack.ts';

/** What CloudFormation must not lose or replace, of one resource. */
export interface Frozen {
  readonly type: string;
  /** Whether it outlives the stack. */
  readonly retained: boolean;
  /** Values of the properties that cannot change without replacing the resource; null where one is absent. */
  readonly createOnly: Json;
  /** Of a route. */
  readonly routeKey?: string;
}

/** By logical id. */
export type Template = Readonly<Record<string, Resource>>;

/** By logical id. */
export type Release = Readonly<Record<string, Frozen>>;

/** Create-only properties and primary identifier of a type, as the CloudFormation registry names them. */
export interface TypeSchema {
  readonly createOnly: readonly string[];
  readonly identifier: readonly string[];
}

// Missing from the registry's lists: the CloudFormation reference says "Update requires: Replacement", or the service
// rejects a change.
const MORE_CREATE_ONLY: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::GlobalTable': ['KeySchema', 'LocalSecondaryIndexes'],
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion'],
  'AWS::Cognito::UserPool': ['UsernameAttributes', 'UsernameConfiguration', 'AliasAttributes'],
};

const ROUTE = 'AWS::ApiGatewayV2::Route';
const NESTED_STACK = 'AWS::CloudFormation::Stack';
const CUSTOM = /^Custom::/;

// Logs are retained too, but nothing breaks if a later release leaves one behind.
const isRetained = ({ Type, DeletionPolicy = 'Delete' }: Resource): boolean =>
  DeletionPolicy.startsWith('Retain') && Type !== 'AWS::Logs::LogGroup';

const freezeOne = (resource: Resource, schema: TypeSchema): Frozen | undefined => {
  const { Type: type, Properties = {} } = resource;
  const retained = isRetained(resource);
  const named = schema.identifier.some(
    (name) => schema.createOnly.includes(name) && Properties[name] !== undefined,
  );
  const custom = CUSTOM.test(type);
  if (!retained && !named && !custom && type !== ROUTE && type !== NESTED_STACK) return undefined;
  const more = custom ? ['ServiceToken'] : (MORE_CREATE_ONLY[type] ?? []);
  const names = [...schema.createOnly, ...more].sort();
  const createOnly = Object.fromEntries(names.map((name) => [name, Properties[name] ?? null]));
  return { type, retained, createOnly, ...(type === ROUTE ? { routeKey: String(Properties.RouteKey) } : {}) };
};

/** Everything of a template that a later release must keep: retained and named resources, custom resources, routes and nested stacks. */
export const freeze = (resources: Template, schemaOf: (type: string) => TypeSchema): Release =>
  Object.fromEntries(
    Object.entries(resources)
      .map(([id, resource]) => [id, freezeOne(resource, schemaOf(resource.Type))] as const)
      .filter((entry): entry is [string, Frozen] => entry[1] !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

const withoutNames = (routeKey: string): string => routeKey.replace(/\{[^}]*\}/g, '{}');

const routesOf = (resources: Template): Map<string, string> =>
  new Map(
    Object.entries(resources).flatMap(([id, { Type, Properties }]) =>
      Type === ROUTE ? [[withoutNames(String(Properties.RouteKey)), id] as const] : [],
    ),
  );

const routeFault = (id: string, routeKey: string, resources: Template): string | undefined => {
  const now = routesOf(resources).get(withoutNames(routeKey));
  if (now === undefined) return `the route ${routeKey} is gone: clients of the last release get 404`;
  return now === id
    ? undefined
    : `the route ${routeKey} has the new logical id ${now}: it conflicts with its predecessor`;
};

const twinOf = (frozen: Frozen, resources: Template): string | undefined =>
  Object.entries(resources).find(
    ([, { Type, Properties = {} }]) =>
      Type === frozen.type &&
      Object.entries(frozen.createOnly).every(([name, value]) =>
        isDeepStrictEqual(Properties[name] ?? null, value),
      ),
  )?.[0];

const missingFault = (frozen: Frozen, resources: Template): string | undefined => {
  const twin = twinOf(frozen, resources);
  if (CUSTOM.test(frozen.type))
    return `${frozen.type} is gone or has a new logical id: its function is told to delete what it made`;
  if (frozen.type === NESTED_STACK)
    return `${frozen.type} is gone or has a new logical id: its resources would be created a second time`;
  if (frozen.retained)
    return `${frozen.type} outlives the stack, and is gone or has a new logical id (${twin ?? 'none'}): its data would be left behind`;
  return twin === undefined
    ? undefined
    : `${frozen.type} has the new logical id ${twin}: its predecessor still exists when it is created`;
};

const changeFaults = (frozen: Frozen, resource: Resource): string[] => {
  const { Type, Properties = {} } = resource;
  if (Type !== frozen.type) return [`was ${frozen.type} and is ${Type}`];
  const changed = Object.entries(frozen.createOnly)
    .filter(([name, value]) => !isDeepStrictEqual(Properties[name] ?? null, value))
    .map(
      ([name]) =>
        `${Type} changes ${name}, which ${CUSTOM.test(Type) ? 'CloudFormation refuses' : 'replaces the resource'}`,
    );
  return [
    ...changed,
    ...(frozen.retained && !isRetained(resource) ? [`${Type} no longer outlives the stack`] : []),
  ];
};

/** What a deployment of these resources over the release would break: one sentence each. Additions are fine. */
export const compare = (release: Release, resources: Template): string[] =>
  Object.entries(release).flatMap(([id, frozen]) => {
    const resource = resources[id];
    const route = frozen.routeKey === undefined ? undefined : routeFault(id, frozen.routeKey, resources);
    const faults =
      resource !== undefined
        ? changeFaults(frozen, resource)
        : frozen.routeKey === undefined
          ? [missingFault(frozen, resources)]
          : [];
    return [route, ...faults].flatMap((fault) => (fault === undefined ? [] : `${id}: ${fault}.`));
  });
