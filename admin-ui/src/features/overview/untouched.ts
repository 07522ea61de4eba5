import { SAMPLE_PROMPTS, SAMPLE_SECRETS } from '../../../../contract/samples.ts';

interface Prompt {
  readonly promptId: string;
  readonly name: string;
  readonly latest: string;
}

interface Secret {
  readonly secretId: string;
  readonly key: string;
  readonly number: number;
  readonly lastRead: { readonly apiKeyId: string; readonly apiKeyName: string } | null;
}

export interface Samples {
  readonly prompts: readonly Prompt[];
  readonly secrets: readonly Secret[];
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
