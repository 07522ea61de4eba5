import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { hasFailure, report, runChecks } from './checks.ts';
import { checkCredentials, DEFAULT_QUALIFIER, doctorChecks } from './doctor-checks.ts';

const contextOf = (settings: readonly string[]): Map<string, string> =>
  new Map(
    settings.map((setting) => {
      const at = setting.indexOf('=');
      return [setting.slice(0, at), setting.slice(at + 1)];
    }),
  );

/** A setting of the arguments of the CDK CLI (`-c name=value`), or of the context of `cdk.json`. */
export const settingOf = (args: string[], name: string): unknown => {
  const { values } = parseArgs({
    args,
    strict: false,
    options: { context: { type: 'string', short: 'c', multiple: true } },
  });
  const given = (values.context ?? []).filter((setting) => typeof setting === 'string');
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: Record<string, unknown> };
  return contextOf(given).get(name) ?? context[name];
};

/** The stage named by `--stage`, or by the setting `stage`. */
export const stageOf = (args: string[]): string => {
  const { values } = parseArgs({ args, strict: false, options: { stage: { type: 'string' } } });
  const stage = values.stage ?? settingOf(args, 'stage');
  return typeof stage === 'string' ? stage : 'prod';
};

/** The qualifier of the CDK bootstrap stack that a deployment with these arguments uses. */
export const qualifierOf = (args: string[]): string =>
  String(settingOf(args, '@aws-cdk/core:bootstrapQualifier') ?? DEFAULT_QUALIFIER);

/**
 * Checks an account for a deployment of the stage, through the bootstrap stack of the qualifier. Errors: those of the
 * credential chain.
 */
export const examine = async (
  stage: string,
  qualifier = DEFAULT_QUALIFIER,
): Promise<{ readonly text: string; readonly failed: boolean }> => {
  const first = { title: checkCredentials.title, ...(await checkCredentials.run()) };
  const results =
    first.level === 'failure' ? [first] : [first, ...(await runChecks(doctorChecks(stage, qualifier)))];
  return { text: report(results), failed: hasFailure(results) };
};
