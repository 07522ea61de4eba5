import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct, type IDependable } from 'constructs';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import type { VaultKeyAction } from '../../../contract/functions/grants.ts';
import { vaultKeyContext } from '../../../contract/functions/vault-key.ts';
import type { StackSettings } from '../../settings.ts';
import { allowed, deniedToAll, isNoneOf, roleArn } from '../shared.ts';

type VaultKeyProps = Pick<StackSettings, 'stage'>;

/**
 * The KMS key that wraps the vault's private key. Only the functions with a grant in the contract may use it; its
 * policy denies everyone else, including administrators of the account.
 */
export class VaultKey extends Construct {
  readonly #props: VaultKeyProps;
  readonly #key: kms.Key;
  readonly #holders: Readonly<Record<VaultKeyAction, string[]>> = {
    Decrypt: [],
    GenerateDataKeyPairWithoutPlaintext: [],
  };

  constructor(scope: Construct, id: string, props: VaultKeyProps) {
    super(scope, id);
    this.#props = props;
    this.#key = new kms.Key(this, 'Resource', {
      description: `Cuevault ${props.stage}: wraps the private key that opens the vault`,
      enableKeyRotation: true,
      // It cannot become one later.
      multiRegion: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    (this.#key.node.defaultChild as kms.CfnKey).overrideLogicalId('VaultKey');
    const { Decrypt, GenerateDataKeyPairWithoutPlaintext } = this.#holders;
    const denials = [
      deniedToAll(['kms:Decrypt'], isNoneOf(Decrypt)),
      deniedToAll(['kms:GenerateDataKey*'], isNoneOf(GenerateDataKeyPairWithoutPlaintext)),
      // Only KMS creates key pairs: nobody can wrap one of their own.
      deniedToAll(['kms:Encrypt', 'kms:ReEncrypt*', 'kms:CreateGrant']),
      // A replica would have a policy of its own.
      deniedToAll(['kms:ReplicateKey', 'kms:UpdatePrimaryRegion']),
    ];
    for (const denial of denials) this.#key.addToResourcePolicy(denial);
  }

  get arn(): string {
    return this.#key.keyArn;
  }

  /**
   * Grants a function these actions, with the vault's encryption context, and passes it the key's ARN. Another function
   * with the same role gets nothing. Returns what must exist before the function can use the key.
   */
  grant(fn: LambdaFunction, actions: readonly VaultKeyAction[]): IDependable {
    const context = Object.entries(vaultKeyContext(this.#props.stage));
    const conditions = {
      StringEquals: Object.fromEntries(
        context.map(([name, value]) => [`kms:EncryptionContext:${name}`, value]),
      ),
      ArnEquals: { 'lambda:SourceFunctionArn': fn.functionArn },
    };
    // A policy of its own: the function depends on the default policy of its role, which therefore cannot name it.
    const policy = new iam.Policy(fn, 'VaultKeyPolicy', {
      statements: [allowed('kms', actions, [this.#key.keyArn], conditions)],
    });
    if (fn.role !== undefined) policy.attachToRole(fn.role);
    for (const action of actions) this.#holders[action].push(roleArn(fn));
    fn.addEnvironment(ENVIRONMENT.vaultKeyArn, this.#key.keyArn).addEnvironment(
      ENVIRONMENT.stage,
      this.#props.stage,
    );
    return policy;
  }
}
