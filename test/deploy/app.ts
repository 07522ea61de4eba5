// The stack as the emulator can deploy it: the same constructs and settings, without what it does not implement.
import { App, Aspects, CfnResource } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';
import cdk from '../../cdk.json' with { type: 'json' };
import { CuevaultStack } from '../../lib/cuevault-stack.ts';
import { readSettings } from '../../lib/settings.ts';

/** Types of resources that ministack does not implement. Only `npm run doctor` and a real deployment test them. */
const LEFT_OUT = new Set([
  'AWS::Cognito::ManagedLoginBranding',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::Dashboard',
  'Custom::CDKBucketDeployment',
  'Custom::S3AutoDeleteObjects',
]);

const app = new App({ context: cdk.context, analyticsReporting: false });
const stack = new CuevaultStack(app, 'CuevaultStack', {
  stackName: 'cuevault-test',
  settings: readSettings((name) => app.node.tryGetContext(name)),
});

const leaveOut = (node: IConstruct): void => {
  if (!CfnResource.isCfnResource(node) || !LEFT_OUT.has(node.cfnResourceType)) return;
  node.node.scope?.node.tryRemoveChild(node.node.id);
};
Aspects.of(stack).add({ visit: leaveOut });
app.synth();
