import * as kms from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CustomResource, Lazy, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import type { ActionsOn } from '../../../contract/functions/grants.ts';
import { PUBLIC_KEY_RESOURCE, SIGNING } from '../../../contract/functions/signing-key.ts';
import type { StackSettings } from '../../settings.ts';
import { allowed, deniedToAll, isNoneOf, roleArn } from '../shared.ts';

type SigningKeyProps = Pick<StackSettings, 'stage' | 'signingKeys'>;

const suffixOf = (number: number): string => (number === 1 ? '' : String(number));

/**
 * The KMS keys that sign rows of the table: one, or two while the second replaces the first. The functions that write
 * such rows may sign; the policies of the keys deny everyone else, including administrators of the account. Readers
 * verify with the public keys, which a function fetches at deployment.
 */
export class SigningKey extends Construct {
  readonly #props: SigningKeyProps;
  readonly #keys: ReadonlyMap<number, kms.Key>;
  readonly #holders = new Set<string>();
  readonly #fetched = new Map<number, CustomResource>();
  readonly #publicKeys: string;

  constructor(scope: Construct, id: string, props: SigningKeyProps) {
    super(scope, id);
    this.#props = props;
    this.#keys = new Map(props.signingKeys.map((number) => [number, this.#newKey(number)]));
    this.#publicKeys = Lazy.string({ produce: () => this.#joinPublicKeys() });
  }

  /** The ARNs of all keys; the first signs. */
  get arns(): string[] {
    return [...this.#keys.values()].map(({ keyArn }) => keyArn);
  }

  /**
   * Lets a function sign rows, with one algorithm, and passes it the ARN of the key that signs. It may use each key: when
   * another key begins to sign, no permission has to arrive at the same time.
   */
  grant(fn: LambdaFunction, actions: ActionsOn<'signing-key'>): void {
    const how = { 'kms:SigningAlgorithm': SIGNING.algorithm, 'kms:MessageType': SIGNING.messageType };
    fn.addToRolePolicy(allowed('kms', actions, this.arns, { StringEquals: how }));
    this.#holders.add(roleArn(fn));
    fn.addEnvironment(ENVIRONMENT.signingKeyArn, this.arns[0] ?? '');
  }

  /** Passes a function the public keys that verify rows. */
  letVerify(fn: LambdaFunction): void {
    fn.addEnvironment(ENVIRONMENT.publicKeys, this.#publicKeys);
    // The references in the template may be the same for other keys.
    fn.invalidateVersionBasedOn(this.#props.signingKeys.join());
  }

  /** Makes a function fetch the public keys at deployment. */
  fetchPublicKey(fn: LambdaFunction): void {
    for (const [number, { keyArn }] of this.#keys) {
      fn.addToRolePolicy(allowed('kms', ['GetPublicKey'], [keyArn]));
      const fetched = new CustomResource(this, `PublicKey${suffixOf(number)}`, {
        serviceToken: fn.functionArn,
        resourceType: PUBLIC_KEY_RESOURCE,
        properties: { KeyId: keyArn },
      });
      this.#fetched.set(number, fetched);
    }
  }

  #newKey(number: number): kms.Key {
    const name = `SigningKey${suffixOf(number)}`;
    const key = new kms.Key(this, name, {
      description: `Cuevault ${this.#props.stage}: signs rows of the table`,
      keySpec: kms.KeySpec.ECC_NIST_P256,
      keyUsage: kms.KeyUsage.SIGN_VERIFY,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    (key.node.defaultChild as kms.CfnKey).overrideLogicalId(name);
    key.addToResourcePolicy(deniedToAll(['kms:Sign'], isNoneOf(this.#holders)));
    key.addToResourcePolicy(deniedToAll(['kms:CreateGrant']));
    return key;
  }

  // The key that signs comes first: functions tag their signatures with the first key.
  #joinPublicKeys(): string {
    return this.#props.signingKeys
      .map((number) => this.#fetched.get(number)?.getAttString('PublicKey'))
      .join(' ');
  }
}
