import * as z from 'zod/mini';
import { ADMIN, FEW_ROWS, PATHS, SIGN } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { environmentName, revision, strictFields } from '../../fields/fields.ts';
import { DEFAULT_ENVIRONMENT } from '../../fields/patterns.ts';
import { LIMITS } from '../../limits.ts';

export const environmentsSet = endpoint({
  id: 'environments-set',
  route: { method: 'PUT', path: PATHS.environments },
  access: ADMIN,
  body: strictFields(
    {
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
    },
    { error: 'The body must be a JSON object, such as {"environments": ["default", "production"]}.' },
  ),
  errors: ['environment_not_empty', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem', 'PutItem'], partitions: ['vault'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
    { on: 'job', job: 'vault-rotate', actions: ['InvokeFunction'] },
    ...SIGN,
  ],
  summary: 'Add, remove and order environments',
});
