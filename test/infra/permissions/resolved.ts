import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import { PUBLIC_KEY_RESOURCE } from '../../../contract/functions/signing-key.ts';
import { ACCOUNT, KEY_ARNS, REGION, TABLE_NAME } from '../../../local/aws/account.ts';
import { bucketArn, functionArn, roleArn, tableArn, userPoolArn } from '../../support/iam/arns.ts';
import type { GuardedFunction, ResourcePolicies } from '../../support/iam/guard.ts';
import type { Statement } from '../../support/iam/policies.ts';
import { attribute, type FunctionResource, type Json, type Synthesized } from '../stack.ts';

export interface ResolvedFunction extends GuardedFunction {
  readonly environment: Readonly<Record<string, string>>;
}

const PSEUDO_PARAMETERS: Readonly<Record<string, string>> = {
  'AWS::AccountId': ACCOUNT,
  'AWS::Partition': 'aws',
  'AWS::Region': REGION,
  'AWS::StackId': `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/local/local`,
  'AWS::URLSuffix': 'amazonaws.com',
};

/** The local ARN of a resource of the type, by its logical id. */
const ARNS: Readonly<Record<string, (id: string) => string | undefined>> = {
  'AWS::DynamoDB::GlobalTable': () => tableArn(TABLE_NAME),
  'AWS::S3::Bucket': bucketArn,
  'AWS::Cognito::UserPool': userPoolArn,
  'AWS::Lambda::Function': functionArn,
  'AWS::IAM::Role': roleArn,
  'AWS::KMS::Key': (id) => (KEY_ARNS as Record<string, string>)[id],
};

/**
 * Returns a function that resolves `Ref`, `Fn::GetAtt`, `Fn::Join` and `Fn::Sub` of a template to local names and ARNs. Resources
 * without a local replacement get ones that match nothing; names that the template does not have, and other intrinsic
 * functions, throw.
 */
export const resolver = (stack: Synthesized) => {
  const attributeOf = (id: string, name: string): string => {
    const { Type } = stack.resource(id);
    if (name === 'StreamArn') return `${tableArn(TABLE_NAME)}/stream/local`;
    if (name !== 'Arn') return Type === PUBLIC_KEY_RESOURCE ? 'cHVibGlj' : `${id}.${name}`;
    return ARNS[Type]?.(id) ?? `arn:aws:${Type.split('::')[1]?.toLowerCase()}:${REGION}:${ACCOUNT}:${id}`;
  };
  const referenceTo = (id: string): string => {
    const pseudo = PSEUDO_PARAMETERS[id];
    if (pseudo !== undefined) return pseudo;
    const { Type } = stack.resource(id);
    if (Type === 'AWS::KMS::Key') return attributeOf(id, 'Arn').split('/').at(-1) ?? '';
    return Type === 'AWS::DynamoDB::GlobalTable' ? TABLE_NAME : id;
  };
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': joined, 'Fn::Sub': text } = value as Json;
    if (typeof Ref === 'string') return referenceTo(Ref);
    if (attribute !== undefined) return attributeOf(attribute[0], attribute[1]);
    if (typeof text === 'string')
      return text.replaceAll(/\$\{([^}]+)\}/g, (_, id: string) => referenceTo(id));
    if (joined !== undefined) {
      const [separator, parts] = joined;
      return (resolve(parts) as unknown[]).join(separator);
    }
    const [name = ''] = Object.keys(value);
    if (name.startsWith('Fn::')) throw new Error(`The template uses ${name}, which has no local value.`);
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolve(each)]));
  };
  return resolve;
};

/** Throws if the policies of the template's roles are not all that a role has. */
const checkRoles = (stack: Synthesized, { resource }: FunctionResource): void => {
  const {
    'Fn::GetAtt': [role],
  } = resource.Properties.Role;
  const { ManagedPolicyArns, PermissionsBoundary } = stack.resource(role).Properties;
  const managed = Object.keys(stack.resources('AWS::IAM::ManagedPolicy'));
  if (ManagedPolicyArns !== undefined || PermissionsBoundary !== undefined || managed.length > 0)
    throw new Error(`The role ${role} has managed policies or a boundary, which are not evaluated.`);
};

/**
 * Each function with an operation, and the policies of the keys, the table and the buckets by the ARN of each, with every
 * reference resolved to the local replacements.
 */
export const readTemplate = (stack: Synthesized) => {
  const resolve = resolver(stack);
  const statementsIn = (document: unknown) =>
    (resolve(document) as { readonly Statement: readonly Statement[] }).Statement;
  const functions = stack
    .functions()
    .filter(({ environment }) => environment[ENVIRONMENT.operation] !== undefined)
    .map((each): ResolvedFunction => {
      checkRoles(stack, each);
      // CloudFront, which sends one of these secrets, is not here.
      const { [ENVIRONMENT.originSecrets]: _, ...environment } = each.environment;
      return {
        operationId: String(environment[ENVIRONMENT.operation]),
        environment: resolve(environment) as Record<string, string>,
        roleArn: String(resolve(each.resource.Properties.Role)),
        functionArn: functionArn(each.logicalId),
        statements: resolve(each.statements) as readonly Statement[],
      };
    });
  const [{ ResourcePolicy }] = stack.only('AWS::DynamoDB::GlobalTable').Properties.Replicas;
  const resourcePolicies: ResourcePolicies = Object.fromEntries([
    [tableArn(TABLE_NAME), statementsIn(ResourcePolicy.PolicyDocument)],
    ...Object.entries(stack.resources('AWS::KMS::Key')).map(([id, { Properties }]) => [
      resolve(attribute(id)),
      statementsIn(Properties.KeyPolicy),
    ]),
    ...stack
      .all('AWS::S3::BucketPolicy')
      .map(({ Bucket, PolicyDocument }) => [
        bucketArn(String(resolve(Bucket))),
        statementsIn(PolicyDocument),
      ]),
  ]);
  return { functions, resourcePolicies };
};
