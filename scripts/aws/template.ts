import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { type GivenSettings, SETTINGS_METADATA } from '../../lib/settings.ts';
import type { DeployedStack } from './stack.ts';

/** The parts of a deployed template that commands read. */
export interface Template {
  readonly Metadata?: { readonly [SETTINGS_METADATA]?: GivenSettings };
  readonly Resources: Readonly<
    Record<string, { readonly Type: string; readonly Properties: Readonly<Record<string, unknown>> }>
  >;
}

/** The template that a stack was deployed with. Errors: those of CloudFormation. */
export const templateOf = async ({ name }: DeployedStack): Promise<Template> => {
  const { TemplateBody = '{"Resources":{}}' } = await new CloudFormationClient({}).send(
    new GetTemplateCommand({ StackName: name, TemplateStage: 'Original' }),
  );
  return JSON.parse(TemplateBody) as Template;
};
