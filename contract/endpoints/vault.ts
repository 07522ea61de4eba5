import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { revision } from '../fields/common.ts';
import { described, flag, listOf, strictFields, text } from '../fields/fields.ts';
import { DEFAULT_ENVIRONMENT } from '../fields/patterns.ts';
import { confirmAccess, paging } from '../fields/query.ts';
import { environmentName, inEnvironment } from '../fields/secrets.ts';
import {
  AUDIT_CHANGE,
  COMPARE_VALUES,
  GUARD_ACCESS,
  LIST_KEYS,
  READ_VAULT,
  SIGN,
} from '../functions/shared-grants.ts';
import { LIMITS } from '../limits.ts';
import { askedValue } from '../shapes/asked-value.ts';
import { onTable } from '../table.ts';
import { admin, MANY_ROWS, PATHS, viewer } from './for-operators.ts';

export const vaultGet = endpoint({
  id: 'vault-get',
  ...viewer('GET', PATHS.vault),
  query: strictFields(inEnvironment),
  errors: ['environment_not_found'],
  grants: [onTable('GetItem', 'vault')],
  summary: 'Fetch the state of the vault',
});

export const vaultWhoHas = endpoint({
  id: 'vault-who-has',
  ...admin('POST', `${PATHS.vault}/who-has`),
  body: strictFields({
    value: askedValue,
    environment: z.optional(described(environmentName, 'Compares with its values only. @default all')),
  }),
  errors: ['environment_not_found', 'rate_limited'],
  timeoutSeconds: 29,
  memoryMb: 1769,
  grants: COMPARE_VALUES,
  summary: 'Find out which secrets have a value, and who received it',
});

export const servingSet = endpoint({
  id: 'serving-set',
  ...admin('PUT', `${PATHS.vault}/serving`),
  body: strictFields({
    ...inEnvironment,
    allowed: flag('`false` stops serving secrets; `true` serves them again.'),
    reason: z.optional(
      text(LIMITS.stopReasonBytes, 'Why serving stops; required then. Operators see it on every screen.'),
    ),
  }).check(
    z.refine(
      ({ allowed, reason }) => allowed === (reason === undefined),
      'Send "reason" with "allowed": false, and only then.',
    ),
  ),
  errors: ['environment_not_found', 'changed_meanwhile'],
  grants: [onTable(['GetItem', 'PutItem'], 'vault'), AUDIT_CHANGE, SIGN],
  summary: 'Stop or start serving secrets',
});

export const revisionsList = endpoint({
  id: 'revisions-list',
  ...viewer('GET', PATHS.revisions),
  query: strictFields({ ...inEnvironment, ...paging }),
  errors: ['environment_not_found'],
  ...MANY_ROWS,
  grants: [onTable('GetItem', 'vault'), onTable('Query', 'vault', 'auditChange')],
  summary: 'List the revisions of the vault',
});

export const revisionsRestore = endpoint({
  id: 'revisions-restore',
  ...admin('POST', `${PATHS.revisions}/{revision}/restore`),
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
  grants: [READ_VAULT, onTable('PutItem', 'vault'), AUDIT_CHANGE, ...GUARD_ACCESS, LIST_KEYS, SIGN],
  summary: 'Restore an earlier revision of the vault',
});

export const environmentsList = endpoint({
  id: 'environments-list',
  ...viewer('GET', PATHS.environments),
  grants: [onTable('GetItem', 'vault')],
  summary: 'List the environments',
});

export const environmentsSet = endpoint({
  id: 'environments-set',
  ...admin('PUT', PATHS.environments),
  body: strictFields({
    environments: listOf(
      environmentName,
      LIMITS.environments,
      'All environments, in the order in which they are shown.',
    ).check(
      z.refine((names) => new Set(names).size === names.length, 'must not contain a name twice'),
      z.refine(
        (names) => names.includes(DEFAULT_ENVIRONMENT),
        `must contain "${DEFAULT_ENVIRONMENT}", which calls without an environment mean`,
      ),
    ),
    critical: z.optional(
      described(
        z.array(environmentName),
        'Those that are marked as critical wherever they are named. @default - what is critical stays so; new ones whose names begin with `prod` are',
      ),
    ),
    revision: revision('The `revision` as you last read it. The request fails if another one is current.'),
  }).check(
    z.refine(
      ({ environments, critical = [] }) => critical.every((name) => environments.includes(name)),
      '"critical" must only contain names that "environments" contains.',
    ),
  ),
  errors: ['environment_not_empty', 'in_use', 'changed_meanwhile'],
  grants: [
    LIST_KEYS,
    onTable(['GetItem', 'PutItem'], 'vault'),
    AUDIT_CHANGE,
    { on: 'job', job: 'vault-rotate', actions: ['InvokeFunction'] },
    SIGN,
  ],
  summary: 'Add, remove and order environments',
});

export const rotationStart = endpoint({
  id: 'rotation-start',
  ...admin('POST', '/api/admin/vault/rotation'),
  body: strictFields({
    ...inEnvironment,
    keyVersion: revision('Version of the key pair to replace, from `vault-get`.'),
  }),
  errors: ['environment_not_found', 'changed_meanwhile', 'rotated_recently'],
  grants: [
    onTable('GetItem', 'vault', 'vaultKey'),
    AUDIT_CHANGE,
    { on: 'job', job: 'vault-rotate', actions: ['InvokeFunction'] },
  ],
  summary: 'Replace the key pair of the vault now',
});
