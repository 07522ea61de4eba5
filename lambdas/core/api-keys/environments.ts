import { coversEnvironment, DEFAULT_ENVIRONMENT } from '../../../contract/fields/patterns.ts';
import { CuevaultError } from '../errors.ts';
import { type ApiKey, RefusedCall } from './rules.ts';

/**
 * Checks that a key may read the secrets of the environment that a call names; without one, it means `default`. Errors:
 * `environment_required`, which names the key's environments; `environment_not_found` with this sentence.
 */
export const requireEnvironment = (apiKey: ApiKey, asked: string | undefined, sentence: string): void => {
  if (coversEnvironment(apiKey.environments, asked ?? DEFAULT_ENVIRONMENT)) return;
  if (asked !== undefined) throw new RefusedCall('environment', sentence, apiKey);
  const own = (apiKey.environments ?? []).map((name) => `"${name}"`).join(' or ');
  throw new CuevaultError(
    'environment_required',
    `This API key does not read the secrets of "${DEFAULT_ENVIRONMENT}". Send "environment": ${own}.`,
  );
};
