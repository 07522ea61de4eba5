import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import { TABLE_NAME } from '../../../local/aws/account.ts';
import { bucketArn, functionArn, roleArn, tableArn } from './arns.ts';
import { listOf } from './conditions.ts';
import type { Statement } from './policies.ts';
import { type KeyStandIns, type Resolve, type Resource, resolver, type TemplateSource } from './values.ts';

/** The function of one operation, from the template. */
export interface TemplateFunction {
  readonly operationId: string;
  /** Its logical id, which locally is its name. */
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly roleArn: string;
  readonly functionArn: string;
  /** The statements of every policy of its role. */
  readonly statements: readonly Statement[];
}

export interface Template {
  readonly functions: readonly TemplateFunction[];
  /** The policies of the KMS keys, the table and the buckets, by the ARN of each. */
  readonly resourcePolicies: Readonly<Record<string, readonly Statement[]>>;
}

interface PolicyDocument {
  readonly Statement: Statement | readonly Statement[];
}

interface Replica {
  readonly ResourcePolicy?: { readonly PolicyDocument: PolicyDocument };
}

interface Role {
  readonly Policies?: readonly { readonly PolicyDocument: PolicyDocument }[];
  readonly ManagedPolicyArns?: readonly string[];
  readonly PermissionsBoundary?: unknown;
}

interface Policy {
  readonly Roles?: readonly string[];
  readonly PolicyDocument: PolicyDocument;
}

interface LambdaFunction {
  readonly Role: string;
  readonly Environment?: { readonly Variables?: Readonly<Record<string, string>> };
}

/** Managed policies that do not concern DynamoDB and KMS. */
const WITHOUT_EFFECT_HERE = /\/(AWSLambdaBasicExecutionRole|AWSXRayDaemonWriteAccess)$/;

const statementsIn = ({ Statement }: PolicyDocument): readonly Statement[] => listOf(Statement);

const resourcesOf = (source: TemplateSource, type: RegExp): [string, Resource][] =>
  Object.entries(source.Resources).filter(([, { Type }]) => type.test(Type));

const ownStatements = (id: string, role: Role): readonly Statement[] => {
  const managed = role.ManagedPolicyArns?.find((arn) => !WITHOUT_EFFECT_HERE.test(arn));
  if (managed !== undefined)
    throw new Error(`The role ${id} has ${managed}, which is not supported by the local policy evaluation.`);
  if (role.PermissionsBoundary !== undefined)
    throw new Error(
      `The role ${id} has a permissions boundary, which is not supported by the local policy evaluation.`,
    );
  return (role.Policies ?? []).flatMap(({ PolicyDocument }) => statementsIn(PolicyDocument));
};

const attachedStatements = (source: TemplateSource, resolve: Resolve, id: string): readonly Statement[] =>
  resourcesOf(source, /^AWS::IAM::(Managed)?Policy$/)
    .map(([, { Properties }]) => Properties as unknown as Policy)
    .filter(({ Roles }) => (resolve(Roles ?? []) as string[]).includes(id))
    .flatMap(({ PolicyDocument }) => statementsIn(resolve(PolicyDocument) as PolicyDocument));

// Only the roles of our functions are read: other roles may refer to resources that do not exist locally.
const statementsOf = (source: TemplateSource, resolve: Resolve, role: string): readonly Statement[] =>
  resourcesOf(source, /^AWS::IAM::Role$/)
    .filter(([id]) => roleArn(id) === role)
    .flatMap(([id, { Properties }]) => [
      ...ownStatements(id, resolve(Properties) as Role),
      ...attachedStatements(source, resolve, id),
    ]);

const keyPolicies = (
  source: TemplateSource,
  resolve: Resolve,
  { arns }: KeyStandIns,
): Template['resourcePolicies'] =>
  Object.fromEntries(
    resourcesOf(source, /^AWS::KMS::Key$/).map(([id, { Properties }]) => [
      arns[id],
      statementsIn((resolve(Properties) as { readonly KeyPolicy: PolicyDocument }).KeyPolicy),
    ]),
  );

const tablePolicy = (source: TemplateSource, resolve: Resolve): Template['resourcePolicies'] => {
  const [[, table] = []] = resourcesOf(source, /^AWS::DynamoDB::GlobalTable$/);
  const { Replicas = [] } = resolve(table?.Properties ?? {}) as { readonly Replicas?: readonly Replica[] };
  const policy = Replicas[0]?.ResourcePolicy?.PolicyDocument;
  return policy === undefined ? {} : { [tableArn(TABLE_NAME)]: statementsIn(policy) };
};

const bucketPolicies = (source: TemplateSource, resolve: Resolve): Template['resourcePolicies'] =>
  Object.fromEntries(
    resourcesOf(source, /^AWS::S3::BucketPolicy$/).map(([, { Properties }]) => {
      const { Bucket, PolicyDocument } = resolve(Properties) as {
        readonly Bucket: string;
        readonly PolicyDocument: PolicyDocument;
      };
      return [bucketArn(Bucket), statementsIn(PolicyDocument)];
    }),
  );

const isOperation = ([, { Properties }]: [string, Resource]): boolean =>
  (Properties as Partial<LambdaFunction>).Environment?.Variables?.[ENVIRONMENT.operation] !== undefined;

const exactlyOne = (source: TemplateSource, type: RegExp): void => {
  const { length } = resourcesOf(source, type);
  if (length !== 1) throw new Error(`The template has ${length} resources ${type.source}; one is expected.`);
};

const requireKeys = (source: TemplateSource, { arns }: KeyStandIns): void => {
  const found = resourcesOf(source, /^AWS::KMS::Key$/).map(([id]) => id);
  if (found.sort().join() === Object.keys(arns).sort().join()) return;
  throw new Error(`The template has the keys ${found.join(', ')}, which are not the expected ones.`);
};

/**
 * Reads a synthesized CloudFormation template, given as parsed JSON: each function with an operation id in its
 * environment, and the policies of the KMS keys and the table, with every reference resolved to the local replacements. Throws if the
 * template refers to something without a local replacement.
 */
export const readTemplate = (template: unknown, keys: KeyStandIns): Template => {
  const source = template as TemplateSource;
  exactlyOne(source, /^AWS::DynamoDB::(Global)?Table$/);
  requireKeys(source, keys);
  const resolve = resolver(source, keys);
  const functions = resourcesOf(source, /^AWS::Lambda::Function$/)
    .filter(isOperation)
    .map(([name, { Properties }]): TemplateFunction => {
      const { Role, Environment } = resolve(Properties) as LambdaFunction;
      // CloudFront, which sends one of these secrets, is not here.
      const { [ENVIRONMENT.originSecrets]: _, ...environment } = Environment?.Variables ?? {};
      return {
        operationId: environment[ENVIRONMENT.operation] ?? '',
        name,
        environment,
        roleArn: Role,
        functionArn: functionArn(name),
        statements: statementsOf(source, resolve, Role),
      };
    });
  return {
    functions,
    resourcePolicies: {
      ...keyPolicies(source, resolve, keys),
      ...tablePolicy(source, resolve),
      ...bucketPolicies(source, resolve),
    },
  };
};
