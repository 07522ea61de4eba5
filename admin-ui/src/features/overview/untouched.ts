import type { ResultOf } from '../../../../contract/documentation.ts';
import { SAMPLE_PROMPTS, SAMPLE_SECRETS } from '../../../../contract/samples.ts';

type Prompt = ResultOf<'prompts-list'>['prompts'][number];
type Secret = ResultOf<'secrets-list'>['secrets'][number];

export interface Samples {
  readonly prompts: readonly Pick<Prompt, 'promptId' | 'name' | 'latest'>[];
  readonly secrets: readonly Pick<Secret, 'secretId' | 'key' | 'number' | 'lastRead'>[];
}

/**
 * What is still a sample of those with its tag: with the name, the versions and the value that it was made with, and no
 * secret that a key of an operator reads.
 * @param ownKeys ids of the API keys that no operator made
 */
export const untouchedOf = ({ prompts, secrets }: Samples, ownKeys: ReadonlySet<string>): Samples => ({
  prompts: prompts.filter(({ name, latest }) =>
    SAMPLE_PROMPTS.some((sample) => sample.name === name && latest === `1.${sample.versions.length - 1}.0`),
  ),
  secrets: secrets.filter(
    ({ key, number, lastRead }) =>
      number === 1 &&
      SAMPLE_SECRETS.some((sample) => sample.key === key) &&
      (lastRead === null || ownKeys.has(lastRead.apiKeyId)),
  ),
});
