import { RegionInfo } from 'aws-cdk-lib/region-info';
import { SettingError } from './settings.ts';

/**
 * Checks the region of a deployment; undefined is a template for no particular region. Errors: `SettingError` that
 * names the region if it is outside the commercial partition: Cognito's sign-in domains and passkeys, and CloudFront, are
 * missing or different there, and nothing has been tested.
 */
export const assertCommercialRegion = (region: string | undefined): void => {
  const partition = region === undefined ? undefined : RegionInfo.get(region).partition;
  if (partition === undefined || partition === 'aws') return;
  throw new SettingError(
    `Cuevault cannot be deployed to "${region}": it belongs to the partition "${partition}". Choose a commercial region such as eu-central-1.`,
  );
};
