import { ADMIN, FEW_ROWS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { inEnvironment, revision, strictFields } from '../../fields/fields.ts';

export const rotationStart = endpoint({
  id: 'rotation-start',
  route: { method: 'POST', path: PATHS.rotation },
  access: ADMIN,
  body: strictFields(
    { ...inEnvironment, keyVersion: revision('Version of the key pair to replace, from `vault-get`.') },
    { error: 'The body must be a JSON object, such as {"keyVersion": 1}.' },
  ),
  errors: ['environment_not_found', 'changed_meanwhile', 'rotated_recently'],
  ...FEW_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem'], partitions: ['vault', 'vaultKey'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
    { on: 'job', job: 'vault-rotate', actions: ['InvokeFunction'] },
  ],
  summary: 'Replace the key pair of the vault now',
});
