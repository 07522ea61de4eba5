import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CustomResource, Lazy, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import type { SigningKeyAction } from '../../../contract/functions/grants.ts';
import { PUBLIC_KEY_RESOURCE, SIGNING } from '../../../contract/functions/signing-key.ts';
import { roleArn } from '../functions/role-arn.ts';
import { denyEveryone } from './deny.ts';

export interface SigningKeyProps {
  readonly stage: string;
  /** Number of the key that signs: a new number creates a new key. */
  readonly signingKeyNumber: number;
  /** Public keys whose signatures are also valid, as base64 of DER, separated by spaces. */
  readonly formerPublicKeys?: string | undefined;
}

/**
 * The KMS key that signs rows of the table. The functions that write such rows may sign; the key's policy denies
 * everyone else, including administrators of the account. Readers verify with its public key, which a function fetches
 * at deployment.
 */
export class SigningKey extends Construct {
  readonly #key: kms.Key;
  readonly #holders = new Set<string>();
  readonly #publicKeys: string;
  #resource: CustomResource | undefined;

  constructor(scope: Construct, id: string, props: SigningKeyProps) {
    super(scope, id);
    const name = props.signingKeyNumber === 1 ? 'SigningKey' : `SigningKey${props.signingKeyNumber}`;
    this.#key = new kms.Key(this, name, {
      description: `Cuevault ${props.stage}: signs rows of the table`,
      keySpec: kms.KeySpec.ECC_NIST_P256,
      keyUsage: kms.KeyUsage.SIGN_VERIFY,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    (this.#key.node.defaultChild as kms.CfnKey).overrideLogicalId(name);
    this.#publicKeys = Lazy.string({
      produce: () => {
        const current = this.#resource?.getAttString('PublicKey');
        return [current, props.formerPublicKeys].filter((each) => each !== undefined).join(' ');
      },
    });
    denyEveryone(this.#key, ['kms:Sign'], {
      ArnNotEquals: { 'aws:PrincipalArn': Lazy.list({ produce: () => [...this.#holders] }) },
    });
    denyEveryone(this.#key, ['kms:CreateGrant']);
  }

  get arn(): string {
    return this.#key.keyArn;
  }

  /** Lets a function sign rows, with one algorithm, and passes it the key's id. */
  grant(fn: LambdaFunction, actions: readonly SigningKeyAction[]): void {
    fn.addToRolePolicy(
      new iam.PolicyStatement({
        actions: actions.map((action) => `kms:${action}`),
        resources: [this.#key.keyArn],
        conditions: {
          StringEquals: { 'kms:SigningAlgorithm': SIGNING.algorithm, 'kms:MessageType': SIGNING.messageType },
        },
      }),
    );
    this.#holders.add(roleArn(fn));
    fn.addEnvironment(ENVIRONMENT.signingKeyArn, this.#key.keyArn);
  }

  /** Passes a function the public keys that verify rows. */
  letVerify(fn: LambdaFunction): void {
    fn.addEnvironment(ENVIRONMENT.publicKeys, this.#publicKeys);
    // The reference in the template is the same for every signing key.
    fn.invalidateVersionBasedOn(this.#key.node.id);
  }

  /** Makes a function fetch the public key at deployment. */
  fetchPublicKey(fn: LambdaFunction): void {
    fn.addToRolePolicy(
      new iam.PolicyStatement({ actions: ['kms:GetPublicKey'], resources: [this.#key.keyArn] }),
    );
    this.#resource = new CustomResource(this, 'PublicKey', {
      serviceToken: fn.functionArn,
      resourceType: PUBLIC_KEY_RESOURCE,
      properties: { KeyId: this.#key.keyArn },
    });
  }

  /** The public key of the current signing key. */
  get publicKey(): string {
    if (this.#resource === undefined) throw new Error('Nothing fetches the public key.');
    return this.#resource.getAttString('PublicKey');
  }
}
