import { importSecrets } from '../../lambdas/store/secrets/import.ts';
import { secretsOf } from '../support/rows/many-secrets.ts';
import { newPrompt } from '../support/rows/prompts.ts';
import { changeAt } from '../support/rows/table.ts';
import { withDeployment } from './service.ts';
import { inTurns, processorTime, times } from './statistics.ts';

const WARM_UP = 1_000;
const CALLS = 100;
const ROUNDS = 20;

/** Processor time of a warm call of each read endpoint with its table calls, in milliseconds on this machine. */
export const processorTimes = (secrets: number): Promise<Readonly<Record<'prompt' | 'secrets', number>>> =>
  withDeployment(async ({ table, container }) => {
    const { name } = await newPrompt(table, { prompt: 'Hello {{user}}' });
    await importSecrets(table, changeAt(), secretsOf(secrets));
    const getPrompt = await container('prompt-get-compiled');
    const getSecrets = await container('vault-get-secrets');
    const fetchPrompt = () => getPrompt({ name, shouldCompile: true, variables: { user: 'Ada' } });
    const fetchSecrets = () => getSecrets({});
    for (const call of [fetchPrompt, fetchSecrets]) await times(WARM_UP, call)();
    const measured = await inTurns(ROUNDS, {
      prompt: processorTime(times(CALLS, fetchPrompt)),
      secrets: processorTime(times(CALLS, fetchSecrets)),
    });
    return { prompt: measured.prompt / CALLS, secrets: measured.secrets / CALLS };
  });
