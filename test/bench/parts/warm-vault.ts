import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { secretsOf } from '../../support/rows/many-secrets.ts';
import { changeAt } from '../../support/rows/table.ts';
import type { Figure } from '../figures.ts';
import { bareVault } from '../requests.ts';
import { openService } from '../service.ts';
import { inTurns, processorTime, times } from '../statistics.ts';

const SECRETS = 1_000;
const ROUNDS = 40;
const CALLS = 25;

/** Processor time of a warm call for many secrets, without its table calls. */
export const warmVault = async (): Promise<Figure[]> => {
  const service = await openService();
  const deployment = await service.deploy('warm-vault');
  await importSecrets(deployment.table, changeAt(), secretsOf(SECRETS));
  const getSecrets = await deployment.container('vault-get-secrets');
  const measures = {
    own: processorTime(times(CALLS, () => getSecrets({}))),
    floor: processorTime(times(CALLS, await bareVault(deployment))),
  };
  await inTurns(10, measures);
  const { own, floor } = await inTurns(ROUNDS, measures);
  await service.stop();
  return [
    {
      name: `warm vault-get-secrets, ${SECRETS}: own processor time`,
      measured: (own - floor) / CALLS,
      bound: 3,
      unit: 'ms',
      from: `${(own / CALLS).toFixed(2)} ms less ${(floor / CALLS).toFixed(2)} ms of the bare calls, medians of ${ROUNDS} × ${CALLS}`,
    },
  ];
};
