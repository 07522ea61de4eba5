// An app of someone else. The test installs the package in its folder, and imports that.
import { App, Aspects, CfnOutput, CfnResource, Stack } from 'aws-cdk-lib';
import { type ISecurityGroup, type IVpc, SecurityGroup, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Rule } from 'aws-cdk-lib/aws-events';
import { AwsSolutionsChecks } from 'cdk-nag';
import { CuevaultStack } from '../../lib/cuevault-stack.ts';

const account = '123456789012';
const context = { '@aws-cdk/core:permissionsBoundary': { name: 'the-boundary' } };
const app = new App({ outdir: 'cdk.out', analyticsReporting: false, context });
const env = { account, region: 'eu-central-1' };
const network = new Stack(app, 'Network', { env });
// CDK's own types contradict each other under exactOptionalPropertyTypes.
const vpc = new Vpc(network, 'Vpc', { natGateways: 1 }) as IVpc;
const securityGroups = [new SecurityGroup(network, 'Group', { vpc }) as ISecurityGroup];
const prod = new CuevaultStack(app, 'Prod', { stage: 'prod', signingKeys: [1, 2], env, vpc, securityGroups });
new CuevaultStack(app, 'ProdElsewhere', { stage: 'prod', env: { account, region: 'us-east-1' } });
new CuevaultStack(app, 'Dev', { stage: 'dev', vpc, env });
const consumer = new Stack(app, 'Consumer', { env });
new CfnOutput(consumer, 'Address', { value: prod.apiUrl });
new CfnOutput(consumer, 'Admin', { value: prod.adminUrl });
new Rule(consumer, 'Rule', { eventBus: prod.eventBus, eventPattern: { source: ['cuevault'] } });
Aspects.of(app).add({
  visit: (node) => {
    if (CfnResource.isCfnResource(node) && node.cfnResourceType === 'AWS::IAM::Role')
      node.addPropertyOverride('RoleName', `ours-${node.node.addr}`);
  },
});
const findings = new AwsSolutionsChecks(app).validateScope(prod).violations;
const { stacks } = app.synth();
const report = stacks.map(({ stackName, environment, tags, template }) => ({
  stackName,
  region: environment.region,
  tags,
  Resources: template.Resources,
}));
process.stdout.write(JSON.stringify({ findings, stacks: report }));
