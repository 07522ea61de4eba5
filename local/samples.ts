import { SAMPLE_PROMPTS, SAMPLE_SECRETS, type SamplePrompt } from '../contract/samples.ts';
import { isCuevaultError } from '../lambdas/core/errors.ts';
import { promptIdOf } from '../lambdas/core/identifiers.ts';
import { storedContent } from '../lambdas/core/prompts/contents.ts';
import type { Change } from '../lambdas/store/audit.ts';
import { isLive, readHead } from '../lambdas/store/prompts/head.ts';
import { setLabel } from '../lambdas/store/prompts/labels.ts';
import { createPrompt } from '../lambdas/store/prompts/lifecycle.ts';
import { publishVersion } from '../lambdas/store/prompts/publishing.ts';
import { createSecret } from '../lambdas/store/secrets/secrets.ts';
import type { Table } from '../lambdas/store/table.ts';
import { vaultIn } from '../lambdas/store/vault/vault.ts';

const makePrompt = async (
  table: Table,
  change: () => Change,
  { name, label, versions }: SamplePrompt,
): Promise<void> => {
  const [first = storedContent({}), ...later] = versions.map(storedContent);
  const { promptId, latest } = await createPrompt(table, change(), { name, ...first, overDeleted: true });
  for (const version of later) await publishVersion(table, change(), promptId, version);
  if (label !== undefined) await setLabel(table, change(), promptId, label, latest);
};

const unlessTaken = (error: unknown): void => {
  if (!isCuevaultError(error, 'name_taken', 'secret_key_taken')) throw error;
};

/** Sample prompts and secrets, each a change of its own. Existing ones with the same names are not changed. */
export const makeSamples = async (table: Table, change: () => Change): Promise<void> => {
  for (const prompt of SAMPLE_PROMPTS) await makePrompt(table, change, prompt).catch(unlessTaken);
  for (const secret of SAMPLE_SECRETS)
    await createSecret(vaultIn(table), change(), secret).catch(unlessTaken);
};

/** Whether a prompt with the name of the first sample exists. */
export const hasGreeting = async (table: Table): Promise<boolean> =>
  isLive(await readHead(table, promptIdOf(SAMPLE_PROMPTS[0].name)));
