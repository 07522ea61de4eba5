import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { secretsOf } from '../../support/rows/many-secrets.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import type { Figure } from '../figures.ts';
import { inPairs } from '../pairs.ts';
import { barePrompt, bareVault } from '../requests.ts';
import { openService } from '../service.ts';

const CALLS = 2_000;
const TEMPLATE = 'You answer customers of {{company}} in at most {{sentences}} sentences.\n'.repeat(8);

/** Warm calls of the two functions, compared with the bare table calls. */
export const warm = async (): Promise<Figure[]> => {
  const service = await openService();
  const deployment = await service.deploy('warm');
  const { promptId, name } = await newPrompt(deployment.table, { prompt: TEMPLATE });
  await importSecrets(deployment.table, changeAt(), secretsOf(100));
  const getPrompt = await deployment.container('prompt-get-compiled');
  const getSecrets = await deployment.container('vault-get-secrets');
  const body = { name, shouldCompile: true, variables: { company: 'Example', sentences: 3 } };
  const bareGetPrompt = await barePrompt(deployment, promptId);
  const bareGetSecrets = await bareVault(deployment);
  const figures = [
    await inPairs('warm prompt-get-compiled / its bare calls', CALLS, () => getPrompt(body), bareGetPrompt),
    await inPairs(
      'warm vault-get-secrets, 100 / its bare calls',
      CALLS,
      () => getSecrets({}),
      bareGetSecrets,
    ),
  ];
  await service.stop();
  return figures;
};
