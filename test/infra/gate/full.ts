import { spawnSync } from 'node:child_process';
import { COMPANY_SETTINGS, type Json, type Resource, type Synthesized, synthesize } from '../stack.ts';

const ACCOUNT = '123456789012';

/** Every setting that is not a number, with a value that adds what it can add. */
export const FULL_SETTINGS: Json = {
  stage: 'prod',
  production: 'true',
  signingKeys: '1,2',
  accessLog: 'true',
  gradualDeployment: 'true',
  passkeys: 'true',
  models: 'amazon.nova-lite-v1:0,eu.amazon.nova-pro-v1:0=eu-central-1+eu-west-1',
  alarmEmail: 'oncall@example.com',
  operatorEmail: 'ada@example.com',
  ...COMPANY_SETTINGS,
  signInPrefix: 'cuevault-0a1b2c3d',
  apiDomain: 'api.cues.example.com',
  apiCertificateArn: `arn:aws:acm:eu-central-1:${ACCOUNT}:certificate/0a1b2c3d`,
  adminDomain: 'cues.example.com',
  adminCertificateArn: `arn:aws:acm:us-east-1:${ACCOUNT}:certificate/0a1b2c3d`,
  webhookUrl: 'https://hooks.example.com/cuevault',
  webhookSecret: 'cuevault/webhook',
  adminWebAclArn: `arn:aws:wafv2:us-east-1:${ACCOUNT}:global/webacl/operators/0a1b2c3d`,
  originSecrets: '1,2',
  sourceHosts: 'github.com',
};

/** The stack with every setting that adds resources. */
export const fullStack = (): Synthesized => synthesize(FULL_SETTINGS);

export interface TemplateJson {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, unknown>>;
  readonly Parameters?: Readonly<Record<string, { readonly Default?: unknown }>>;
}

export const templateOf = (stack: Synthesized): TemplateJson =>
  stack.template.toJSON() as unknown as TemplateJson;

/** The templates of a stack and of its nested stacks. */
export const allTemplates = (stack: Synthesized): TemplateJson[] =>
  [stack, ...Object.values(stack.nested)].map(templateOf);

/** The resources of a stack and of its nested stacks, by logical id. */
export const allResources = (stack: Synthesized): TemplateJson['Resources'] => {
  const entries = allTemplates(stack).flatMap(({ Resources }) => Object.entries(Resources));
  const all = Object.fromEntries(entries);
  if (Object.keys(all).length < entries.length) throw new Error('Two resources have the same logical id.');
  return all;
};

/** Runs a program of the Python environment of the scripts; returns the JSON that it prints. */
export const runPython = (...args: string[]): unknown => {
  const { stdout, stderr } = spawnSync(process.execPath, ['scripts/python.mjs', ...args], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (stdout.trim() === '') throw new Error(`${args[0]} printed nothing: ${stderr}`);
  return JSON.parse(stdout) as unknown;
};
