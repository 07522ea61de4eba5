import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import type { AwsCall } from '../../../local/aws/services.ts';
import { openInstance } from '../../support/instance.ts';
import { secretsOf } from '../../support/rows/many-secrets.ts';
import { changeAt } from '../../support/rows/table.ts';
import type { Figure } from '../figures.ts';

const SECRETS = 1_000;

/** The calls that a container makes for its first request for all secrets. */
export const cold = async (): Promise<Figure[]> => {
  const calls: AwsCall[] = [];
  const intercept = (call: AwsCall) => {
    calls.push(call);
    return undefined;
  };
  const instance = await openInstance({ hooks: { intercept } });
  await importSecrets(instance.table, changeAt(), secretsOf(SECRETS));
  await instance.post('/api/vault/get-secrets', {});
  await instance.stop();
  const made = (action: string) =>
    calls.filter(
      ({ operationId, target }) => operationId === 'vault-get-secrets' && target.endsWith(`.${action}`),
    ).length;
  const reads = made('GetItem') + made('BatchGetItem') + made('Query');
  const name = `cold vault-get-secrets, ${SECRETS}`;
  return [
    { name: `${name}: reads of the table`, measured: reads, bound: 20, unit: '' },
    { name: `${name}: calls of KMS`, measured: made('Decrypt'), bound: 1, unit: '' },
  ];
};
