import { spawnSync } from 'node:child_process';
import {
  ADDRESSES,
  COMPANY_SETTINGS,
  type Json,
  type Resource,
  type Synthesized,
  synthesize,
} from '../stack.ts';

/** Every setting that is not a number, with a value that adds what it can add. */
export const FULL_SETTINGS: Json = {
  stage: 'prod',
  production: 'true',
  signingKeys: '1,2',
  accessLog: 'true',
  gradualDeployment: 'true',
  passkeys: 'true',
  operatorEmail: 'ada@example.com',
  ...ADDRESSES,
  ...COMPANY_SETTINGS,
  originSecrets: '2,1',
  sourceHosts: 'github.com',
};

/** The stack with every setting that adds resources. */
export const fullStack = (): Synthesized => synthesize(FULL_SETTINGS);

export interface TemplateJson {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, unknown>>;
  readonly Parameters?: Readonly<Record<string, { readonly Default?: unknown }>>;
}

export const templateOf = (stack: Synthesized): TemplateJson => stack.template.toJSON() as TemplateJson;

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
  return JSON.parse(stdout);
};
