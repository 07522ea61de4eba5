import { assertRegion } from '../../lib/settings.ts';
import { DEFAULT_STACK_SETTINGS } from './stack.ts';

test.each(['cn-north-1', 'us-gov-west-1', 'us-iso-east-1', 'eusc-de-east-1'])(
  'a deployment to %s, outside the commercial partition, is refused',
  (region) => {
    expect(() => assertRegion(DEFAULT_STACK_SETTINGS, region)).toThrow(
      `Cuevault cannot be deployed to "${region}"`,
    );
  },
);

test.each(['eu-central-1', 'us-east-1', 'region-of-next-year-1', undefined])('%s is accepted', (region) => {
  expect(() => assertRegion(DEFAULT_STACK_SETTINGS, region)).not.toThrow();
});
