import { noSuchInclude } from '../prompts/contents.ts';
import type { Included } from '../prompts/prompts.ts';
import { type ApiKey, maySeePrompt, RefusedCall } from './rules.ts';

/**
 * Checks that a key may publish the prompts with these names. The name alone decides, so the refusal does not tell
 * whether the prompt exists.
 */
export const requirePublishable = (apiKey: ApiKey, names: readonly string[]): void => {
  const refused = names.find((name) => !maySeePrompt(apiKey, name));
  const sentence = `This API key may not publish "${refused}": it is limited to other names.`;
  if (refused !== undefined) throw new RefusedCall('publish', sentence, apiKey);
};

/** Checks that a key which only compares writes nothing. */
export const requireWriting = (
  apiKey: ApiKey,
  { dryRun }: { readonly dryRun?: boolean | undefined },
): void => {
  if (dryRun === true || apiKey.permissions.includes('publish')) return;
  throw new RefusedCall(
    'permission',
    'This API key lacks the permission "publish": it can only compare, with "dryRun": true.',
    apiKey,
  );
};

/** Checks that a key may set, move and remove these labels. */
export const requireMovable = (apiKey: ApiKey, labels: readonly string[]): void => {
  const refused = labels.find((label) => apiKey.labels?.includes(label) !== true);
  if (refused !== undefined)
    throw new RefusedCall('label', `This API key may not move the label "${refused}".`, apiKey);
};

/** Checks that a key may see what it includes; nothing is read for it. */
export const requireIncludable = (apiKey: ApiKey, included: Included): void => {
  if (!maySeePrompt(apiKey, included.name)) throw new RefusedCall('include', noSuchInclude(included), apiKey);
};
