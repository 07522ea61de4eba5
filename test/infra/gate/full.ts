import { type Resource, type Synthesized, synthesize } from '../stack.ts';

/** The stack with every setting that adds resources. */
export const fullStack = (): Synthesized =>
  synthesize({
    repairRoleArn: 'arn:aws:iam::123456789012:role/repair',
    alarmEmail: 'oncall@example.com',
    operatorEmail: 'ada@example.com',
    adminDomain: 'cues.example.com',
    adminCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d',
  });

export interface TemplateJson {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, unknown>>;
}

export const templateOf = (stack: Synthesized): TemplateJson =>
  stack.template.toJSON() as unknown as TemplateJson;
