import * as z from 'zod/mini';
import { type Method, nothing } from '../endpoint.ts';
import type { Role } from '../fields/access.ts';
import { keyId, pathLabel, secretId } from '../fields/common.ts';
import { promptId, text, version } from '../fields/fields.ts';
import { wholeNumber } from '../fields/query.ts';

const PROMPTS = '/api/admin/prompts';
const SECRETS = '/api/admin/secrets';
const KEYS = '/api/admin/api-keys';
const OPERATORS = '/api/admin/operators';

export const PATHS = {
  prompts: PROMPTS,
  prompt: `${PROMPTS}/{promptId}`,
  versions: `${PROMPTS}/{promptId}/versions`,
  version: `${PROMPTS}/{promptId}/versions/{version}`,
  draft: `${PROMPTS}/{promptId}/draft`,
  examples: `${PROMPTS}/{promptId}/examples`,
  label: `${PROMPTS}/{promptId}/labels/{label}`,
  protectedLabel: '/api/admin/protected-labels/{label}',
  events: `${PROMPTS}/{promptId}/events`,
  secrets: SECRETS,
  secret: `${SECRETS}/{secretId}`,
  vault: '/api/admin/vault',
  revisions: '/api/admin/vault/revisions',
  environments: '/api/admin/environments',
  keys: KEYS,
  key: `${KEYS}/{keyId}`,
  operators: OPERATORS,
  operator: `${OPERATORS}/{operatorId}`,
} as const;

/** Memory and timeout of endpoints that read many rows. */
export const MANY_ROWS = { memoryMb: 1024, timeoutSeconds: 20 } as const;

/** What the paths of endpoints for operators name, by the name of the parameter. */
const PARAMETERS = {
  promptId,
  version,
  label: pathLabel,
  secretId,
  keyId,
  operatorId: text(128, 'Unique identifier of the operator.'),
  deliveryId: z.string(),
  revision: wholeNumber(1, Number.MAX_SAFE_INTEGER, 'Number of a revision of the vault.'),
};

type NameIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NameIn<Rest> : never;

type Parameters<Path> = z.ZodMiniObject<Pick<typeof PARAMETERS, NameIn<Path> & keyof typeof PARAMETERS>>;

/** A path all of whose parameters are known. */
type KnownPath<Path> = NameIn<Path> extends keyof typeof PARAMETERS ? Path : never;

const parametersOf = (path: string): z.ZodMiniType => {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name as keyof typeof PARAMETERS);
  return names.length === 0
    ? nothing
    : z.object(Object.fromEntries(names.map((name) => [name, PARAMETERS[name]])));
};

const forRole =
  <const Least extends Role>(role: Least) =>
  <const Path extends string>(method: Method, path: KnownPath<Path>) => ({
    route: { method, path },
    access: { kind: 'operator', role } as const,
    params: parametersOf(path) as Parameters<Path>,
  });

/** The route of an endpoint for operators of at least this group, with the schemas of its path parameters. */
export const viewer = forRole('viewer');
export const editor = forRole('editor');
export const admin = forRole('admin');
