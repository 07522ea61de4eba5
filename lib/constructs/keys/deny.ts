import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';

/** Denies the actions to every principal in the key's own policy; `conditions` limit whom it denies. */
export const denyEveryone = (
  key: kms.IKey,
  actions: string[],
  conditions: Record<string, unknown> = {},
): void => {
  key.addToResourcePolicy(
    new iam.PolicyStatement({
      effect: iam.Effect.DENY,
      principals: [new iam.AnyPrincipal()],
      actions,
      resources: ['*'],
      conditions,
    }),
  );
};
