import { parseArgs } from 'node:util';
import { hasFailure, report, runChecks } from './checks.ts';
import { checkCredentials, DEFAULT_QUALIFIER, doctorChecks } from './doctor-checks.ts';
import { contextOf } from './settings.ts';

/** The stage named by `--stage`, or by the setting `stage`. */
export const stageOf = (args: string[]): string => {
  const { values } = parseArgs({ args, strict: false, options: { stage: { type: 'string' } } });
  const stage = values.stage ?? contextOf(args, 'stage');
  return typeof stage === 'string' ? stage : 'prod';
};

/** The qualifier of the CDK bootstrap stack that a deployment with these arguments uses. */
export const qualifierOf = (args: string[]): string =>
  String(contextOf(args, '@aws-cdk/core:bootstrapQualifier') ?? DEFAULT_QUALIFIER);

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
