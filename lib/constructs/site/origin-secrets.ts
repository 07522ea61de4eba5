import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import { ORIGIN_SECRET } from '../../../contract/http/security-headers.ts';
import { allowed } from '../shared.ts';

// 62 ** 43 is more than 2 ** 256.
const CHARACTERS = 43;

/**
 * Secrets that CloudFront sends to the API and the functions for operators require, so that nobody gets around a web
 * ACL at the API's own address. CloudFront sends the first.
 */
export class OriginSecrets extends Construct {
  /** What CloudFront adds to its requests. CloudFormation inserts the value; the template has only a reference. */
  readonly headers: Record<string, string>;
  readonly #arns: string[];

  constructor(scope: Construct, id: string, numbers: readonly number[]) {
    super(scope, id);
    const secrets = numbers.map((number) => this.#newSecret(number));
    this.#arns = secrets.map(({ secretArn }) => secretArn);
    const values = secrets.slice(0, 1).map(({ secretValue }) => [ORIGIN_SECRET, secretValue.unsafeUnwrap()]);
    this.headers = Object.fromEntries(values);
  }

  /** Makes a function require one of them. */
  require(fn: LambdaFunction): void {
    fn.addEnvironment(ENVIRONMENT.originSecrets, this.#arns.join(' '));
    fn.addToRolePolicy(allowed('secretsmanager', ['GetSecretValue'], this.#arns));
  }

  #newSecret(number: number): Secret {
    const secret = new Secret(this, `Secret${number}`, {
      description: 'Shows the admin API that a call came through the admin site',
      generateSecretString: { passwordLength: CHARACTERS, excludePunctuation: true },
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'CloudFront gets its value in a deployment, so a deployment replaces it; the runbook says how.',
    });
    return secret;
  }
}
