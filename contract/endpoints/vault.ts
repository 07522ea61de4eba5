import * as z from 'zod/mini';
import { ADMIN, GUARD_ACCESS, LIST_KEYS, MANY_ROWS, PATHS, READ_VAULT, SIGN, VIEWER } from '../admin.ts';
import { endpoint } from '../endpoint.ts';
import {
  described,
  environmentName,
  flag,
  inEnvironment,
  revision,
  strictFields,
  text,
} from '../fields/fields.ts';
import { DEFAULT_ENVIRONMENT } from '../fields/patterns.ts';
import { confirmAccess, paging, wholeNumber } from '../fields/query.ts';
import { LIMITS } from '../limits.ts';
import { askedValue, COMPARE_VALUES } from '../shapes/asked-value.ts';

export const vaultGet = endpoint({
  id: 'vault-get',
  route: { method: 'GET', path: PATHS.vault },
  access: VIEWER,
  query: strictFields(inEnvironment),
  errors: ['environment_not_found'],
  grants: [{ on: 'table', actions: ['GetItem'], partitions: ['vault'] }],
  summary: 'Fetch the state of the vault',
});

export const vaultWhoHas = endpoint({
  id: 'vault-who-has',
  route: { method: 'POST', path: `${PATHS.vault}/who-has` },
  access: ADMIN,
  body: strictFields({
    value: askedValue,
    environment: z.optional(described(environmentName, 'Compares with its values only. @default all')),
  }),
  errors: ['environment_not_found', 'rate_limited'],
  timeoutSeconds: 29,
  memoryMb: 1769,
  grants: [...COMPARE_VALUES, { on: 'table', actions: ['UpdateItem'], partitions: ['questions'] }],
  summary: 'Find out which secrets have a value, and who received it',
});

export const servingSet = endpoint({
  id: 'serving-set',
  route: { method: 'PUT', path: `${PATHS.vault}/serving` },
  access: ADMIN,
  body: strictFields({
    ...inEnvironment,
    allowed: flag('`false` stops serving secrets; `true` serves them again.'),
    reason: z.optional(
      text(LIMITS.stopReasonBytes, 'Why serving stops; required then. Operators see it on every screen.'),
    ),
  }).check(
    z.refine(({ allowed, reason }) => allowed === (reason === undefined), {
      error: 'Send "reason" with "allowed": false, and only then.',
    }),
  ),
  errors: ['environment_not_found', 'changed_meanwhile'],
  grants: [
    { on: 'table', actions: ['GetItem', 'PutItem'], partitions: ['vault'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
    ...SIGN,
  ],
  summary: 'Stop or start serving secrets',
});

export const revisionsList = endpoint({
  id: 'revisions-list',
  route: { method: 'GET', path: PATHS.revisions },
  access: VIEWER,
  query: strictFields({ ...inEnvironment, ...paging }),
  errors: ['environment_not_found'],
  ...MANY_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem'], partitions: ['vault'] },
    { on: 'table', actions: ['Query'], partitions: ['vault', 'auditChange'] },
  ],
  summary: 'List the revisions of the vault',
});

export const revisionsRestore = endpoint({
  id: 'revisions-restore',
  route: { method: 'POST', path: `${PATHS.revisions}/{revision}/restore` },
  access: ADMIN,
  params: z.object({
    revision: wholeNumber(1, Number.MAX_SAFE_INTEGER, 'Number of a revision of the vault.'),
  }),
  query: strictFields({ confirm: confirmAccess }),
  body: strictFields({
    ...inEnvironment,
    current: z.optional(
      revision('The number of the revision that is replaced. The request fails if another one is current.'),
    ),
    dryRun: z.optional(flag('When `true`, nothing is restored; the reply shows what would change.')),
  }),
  errors: ['environment_not_found', 'value_not_found', 'would_widen_access', 'changed_meanwhile'],
  ...MANY_ROWS,
  grants: [
    ...READ_VAULT,
    { on: 'table', actions: ['PutItem'], partitions: ['vault'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
    ...GUARD_ACCESS,
    ...LIST_KEYS,
    ...SIGN,
  ],
  summary: 'Restore an earlier revision of the vault',
});

export const environmentsList = endpoint({
  id: 'environments-list',
  route: { method: 'GET', path: PATHS.environments },
  access: VIEWER,
  grants: [{ on: 'table', actions: ['GetItem'], partitions: ['vault'] }],
  summary: 'List the environments',
});

export const environmentsSet = endpoint({
  id: 'environments-set',
  route: { method: 'PUT', path: PATHS.environments },
  access: ADMIN,
  body: strictFields({
    environments: z.array(environmentName, { error: 'must be an array of names' }).check(
      z.maxLength(LIMITS.environments, { error: `must contain at most ${LIMITS.environments} of them` }),
      z.refine((names) => new Set(names).size === names.length, { error: 'must not contain a name twice' }),
      z.refine((names) => names.includes(DEFAULT_ENVIRONMENT), {
        error: `must contain "${DEFAULT_ENVIRONMENT}", which calls without an environment mean`,
      }),
      z.meta({ description: 'All environments, in the order in which they are shown.' }),
    ),
    revision: z.optional(
      revision('The `revision` as you last read it. The request fails if another one is current.'),
    ),
  }),
  errors: ['environment_not_empty', 'changed_meanwhile'],
  grants: [
    { on: 'table', actions: ['GetItem', 'PutItem'], partitions: ['vault'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
    { on: 'job', job: 'vault-rotate', actions: ['InvokeFunction'] },
    ...SIGN,
  ],
  summary: 'Add, remove and order environments',
});

export const rotationStart = endpoint({
  id: 'rotation-start',
  route: { method: 'POST', path: PATHS.rotation },
  access: ADMIN,
  body: strictFields({
    ...inEnvironment,
    keyVersion: revision('Version of the key pair to replace, from `vault-get`.'),
  }),
  errors: ['environment_not_found', 'changed_meanwhile', 'rotated_recently'],
  grants: [
    { on: 'table', actions: ['GetItem'], partitions: ['vault', 'vaultKey'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
    { on: 'job', job: 'vault-rotate', actions: ['InvokeFunction'] },
  ],
  summary: 'Replace the key pair of the vault now',
});
