import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { App, NestedStack } from 'aws-cdk-lib/core';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { COMMANDS } from '../../contract/functions/commands.ts';
import { CONSUMERS } from '../../contract/functions/consumers.ts';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { JOBS } from '../../contract/functions/jobs.ts';
import { TRIGGERS } from '../../contract/functions/triggers.ts';
import { CuevaultStack } from '../../lib/cuevault-stack.ts';
import { readSettings, synthesisSettings } from '../../lib/settings.ts';
import type { Json } from '../support/vectors.ts';

const CDK = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8')) as { context: Json };

/** The settings of the stage `prod`. */
export const DEFAULT_STACK_SETTINGS = readSettings((name) => (name === 'stage' ? 'prod' : undefined));

/** Every operation of the contract. */
export const OPERATIONS = [...ENDPOINTS, ...JOBS, ...COMMANDS, ...CONSUMERS, ...TRIGGERS];

export type { Json };

export interface Resource {
  readonly Type: string;
  readonly Properties: Json;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly UpdatePolicy?: Json;
}

export interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: { readonly [operator: string]: Json };
}

export interface FunctionResource {
  readonly logicalId: string;
  readonly resource: Resource;
  readonly environment: Json;
  readonly statements: readonly Statement[];
}

/** A folder with a minimal bundle for each operation. */
export const tinyBundles = (): string => {
  const root = mkdtempSync(join(tmpdir(), 'cuevault-bundles-'));
  for (const { id } of OPERATIONS) {
    mkdirSync(join(root, id));
    writeFileSync(join(root, id, 'index.mjs'), 'export const handler = () => {};\n');
  }
  return root;
};

/** A folder with a minimal admin UI. */
export const tinySite = (): string => {
  const root = mkdtempSync(join(tmpdir(), 'cuevault-site-'));
  writeFileSync(
    join(root, 'index.html'),
    '<!doctype html><title>Cuevault</title><script type="application/json" id="config"></script>\n',
  );
  return root;
};

/** An app with the context of `cdk.json`. Checking the template against CloudFormation's schema is left to `cdk synth`. */
export const newApp = (context: Json = {}): App =>
  new App({
    analyticsReporting: false,
    builtinCloudFormationValidation: false,
    context: {
      ...CDK.context,
      'aws:cdk:disable-asset-staging': true,
      ...context,
    },
  });

export const newStack = (app: App): CuevaultStack =>
  new CuevaultStack(app, 'CuevaultStack', {
    ...synthesisSettings((name) => app.node.tryGetContext(name)).settings,
    assetRoot: tinyBundles(),
    siteRoot: tinySite(),
  });

const mapped = <From, To>(record: Readonly<Record<string, From>>, to: (value: From) => To) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]));

/** A company whose people sign in. */
export const COMPANY_SETTINGS = {
  signInIssuer: 'https://login.example.com/acme',
  signInClientId: '0oa1b2c3',
  signInSecretArn: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:sign-in-AbCdEf',
};

const WITHOUT_COMPANY = mapped(COMPANY_SETTINGS, () => undefined);

/** The template of a stack, and those of its nested stacks by the id of each. */
const templatesOf = (context: Json) => {
  const stack = newStack(
    newApp({ stage: 'prod', operatorEmail: 'ada@example.com', ...COMPANY_SETTINGS, ...context }),
  );
  const nested = stack.node.children.filter((child) => child instanceof NestedStack);
  return {
    template: Template.fromStack(stack).toJSON(),
    nested: Object.fromEntries(nested.map((child) => [child.node.id, Template.fromStack(child).toJSON()])),
  };
};

// The test files of a run share what they synthesize: its temporary folder is new.
const sharedTemplatesOf = (context: Json): ReturnType<typeof templatesOf> => {
  const settings = JSON.stringify(Object.entries(context).map(([name, value]) => [name, value ?? null]));
  const file = join(tmpdir(), `template-${createHash('sha256').update(settings).digest('hex')}.json`);
  if (!existsSync(file)) {
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(templatesOf(context)));
    renameSync(`${file}.${process.pid}`, file);
  }
  return JSON.parse(readFileSync(file, 'utf8'));
};

/** The template under the given settings, with an operator to invite and a company unless they say otherwise. */
export const synthesize = (context: Json = {}): Synthesized => {
  const made = process.env.JEST_WORKER_ID === undefined ? templatesOf : sharedTemplatesOf;
  const { template, nested } = made(context);
  return new Synthesized(
    Template.fromJSON(template),
    mapped(nested, (each) => new Synthesized(Template.fromJSON(each))),
  );
};

/** The template with other settings than the defaults, which change independent parts of it. */
export const otherwise = (): Synthesized =>
  synthesize({
    stage: 'dev',
    accessLog: 'true',
    accessDays: '14',
    operatorEmail: undefined,
    ...WITHOUT_COMPANY,
    passkeys: 'true',
    sessionHours: '2',
    gradualDeployment: 'false',
  });

/** The template with other settings than the defaults that add no resource, independent of each other. */
export const varied = (): Synthesized =>
  synthesize({
    production: 'false',
    throttleRate: '50',
    signInIssuer: 'https://other.example',
    '@aws-cdk/aws-lambda:createNewPoliciesWithAddToRolePolicy': true,
  });

/** The template with the setting "adopt", for another client of the company. */
export const adopting = (): Synthesized => synthesize({ adopt: 'true', signInClientId: 'other' });

/** An address of each kind, where it may have one of its own, and the further settings that need one. */
export const ADDRESSES = {
  apiDomain: 'api.cues.example.com',
  apiCertificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b2c3d',
  adminDomain: 'cues.example.com',
  adminCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d',
  adminWebAclArn: 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/operators/0a1b2c3d',
  signInPrefix: 'cuevault-0a1b2c3d',
  webhookUrl: 'https://hooks.example.com/cuevault',
  webhookSecret: 'cuevault/webhook',
  alarmEmail: 'oncall@example.com',
  models: 'amazon.nova-lite-v1:0,eu.amazon.nova-pro-v1:0=eu-central-1+eu-west-1',
};

/** The stage of the template with addresses, one of production. */
export const LONG_STAGE = 'a-stage-that-is-long';

/** The template with those, of which no test is about two at once. */
export const addressed = (): Synthesized =>
  synthesize({ ...ADDRESSES, stage: LONG_STAGE, production: 'true' });

export class Synthesized {
  readonly template: Template;
  /** Its nested stacks, by their logical ids. */
  readonly nested: Readonly<Record<string, Synthesized>>;
  #functions: readonly FunctionResource[] | undefined;

  constructor(template: Template, nested: Readonly<Record<string, Synthesized>> = {}) {
    this.template = template;
    this.nested = nested;
  }

  get routes(): Synthesized {
    return this.nested.Routes as Synthesized;
  }

  get monitoring(): Synthesized {
    return this.nested.Monitoring as Synthesized;
  }

  /** A part of the template of a nested stack, with what this stack passes where it refers to a parameter. */
  passed(value: unknown): Json[string] {
    const parameters = Object.keys(this.nested).map((id) => this.resource(id).Properties.Parameters);
    const all = Object.assign({}, ...parameters);
    return JSON.parse(
      JSON.stringify(value),
      (_, part) => all[(part as { Ref?: string } | null)?.Ref ?? ''] ?? part,
    );
  }

  /** The properties of the resources of a type. */
  all(type: string): Json[] {
    return Object.values(this.resources(type)).map(({ Properties }) => Properties);
  }

  /** Resources of a type, by logical id. */
  resources(type: string): Readonly<Record<string, Resource>> {
    return this.template.findResources(type) as Record<string, Resource>;
  }

  resource(logicalId: string): Resource {
    const { Resources } = this.template.toJSON() as { Resources: Record<string, Resource> };
    const found = Resources[logicalId];
    if (found === undefined) throw new Error(`The template has no resource "${logicalId}".`);
    return found;
  }

  /** The one resource of a type, with its logical id. */
  only(type: string): Resource & { readonly logicalId: string } {
    const [[logicalId, resource] = [], ...more] = Object.entries(this.resources(type));
    if (logicalId === undefined || resource === undefined || more.length > 0) {
      throw new Error(`The template does not have exactly one ${type}.`);
    }
    return { ...resource, logicalId };
  }

  /** The function of an operation, with all that its role may do. */
  functionOf(operationId: string): FunctionResource {
    const found = this.functions().find(
      ({ environment }) => environment[ENVIRONMENT.operation] === operationId,
    );
    if (found === undefined) throw new Error(`The template has no function for "${operationId}".`);
    return found;
  }

  /** The ARN of an operation's function. */
  arnOf(operationId: string) {
    return attribute(this.functionOf(operationId).logicalId);
  }

  /** The alias of an operation's function. */
  aliasOf(operationId: string): Resource & { readonly logicalId: string } {
    const { logicalId } = this.functionOf(operationId);
    const found = Object.entries(this.resources('AWS::Lambda::Alias')).find(
      ([, { Properties }]) => Properties.FunctionName.Ref === logicalId,
    );
    if (found === undefined) throw new Error(`The function of "${operationId}" has no alias.`);
    return { logicalId: found[0], ...found[1] };
  }

  /** Every function of the template, including those that CDK adds. */
  functions(): readonly FunctionResource[] {
    this.#functions ??= Object.entries(this.resources('AWS::Lambda::Function')).map(
      ([logicalId, resource]) => {
        const { Role, Environment } = resource.Properties;
        return {
          logicalId,
          resource,
          environment: Environment?.Variables ?? {},
          statements: this.#statementsOf(Role['Fn::GetAtt'][0]),
        };
      },
    );
    return this.#functions;
  }

  #statementsOf(role: string): Statement[] {
    const attached = this.all('AWS::IAM::Policy').filter(({ Roles }) =>
      Roles.some(({ Ref }: Json) => Ref === role),
    );
    const { Policies = [] } = this.resource(role).Properties;
    return [...attached, ...Policies].flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  }
}

/** What CloudFormation resolves to an attribute of a resource. */
export const attribute = (logicalId: string, name = 'Arn') => ({ 'Fn::GetAtt': [logicalId, name] });

/** What CloudFormation joins to one text. */
export const joined = (...parts: readonly unknown[]) => ({ 'Fn::Join': ['', parts] });

/** The actions of a statement as a list. */
export const actionsOf = ({ Action }: Statement): string[] => [Action].flat() as string[];

/** The policies of the roles that API Gateway invokes functions with. */
export const invokerPolicies = (stack: Synthesized): Json[] =>
  Object.entries(stack.resources('AWS::IAM::Policy'))
    .filter(([id]) => id.startsWith('Invoker'))
    .map(([, { Properties }]) => Properties);
