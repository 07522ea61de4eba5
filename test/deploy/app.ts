// The stack for the emulator: the same constructs and settings, without resources that it does not implement.
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CfnGlobalTable } from 'aws-cdk-lib/aws-dynamodb';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { App, Aspects, CfnResource, CustomResource, Fn } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';
import cdk from '../../cdk.json' with { type: 'json' };
import type { Endpoint } from '../../contract/endpoint.ts';
import { notFound } from '../../contract/endpoints/service.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import type { Operation } from '../../lib/constructs/functions/operation.ts';
import { CuevaultStack } from '../../lib/cuevault-stack.ts';
import { STAGE_TAG, synthesisSettings } from '../../lib/settings.ts';

/** Types of resources that ministack does not implement. Only `npm run doctor` and a real deployment test them. */
const LEFT_OUT = new Set([
  'AWS::Cognito::ManagedLoginBranding',
  'AWS::Events::Archive',
  'AWS::Lambda::EventInvokeConfig',
  'Custom::CDKBucketDeployment',
  'Custom::S3AutoDeleteObjects',
]);

const app = new App({ context: cdk.context, analyticsReporting: false });

// ministack cannot import a domain, and a user pool has only one.
if (app.node.tryGetContext('adopted') === 'true') LEFT_OUT.add('AWS::Cognito::UserPoolDomain');

// An endpoint of a later release: its function answers like that of the default route.
const withAnotherEndpoint = (): string => {
  const assetRoot = mkdtempSync(path.join(tmpdir(), 'lambdas-'));
  cpSync('dist/lambdas', assetRoot, { recursive: true });
  cpSync('dist/lambdas/not-found', path.join(assetRoot, 'another'), { recursive: true });
  const route = { method: 'GET', path: '/api/another/{name+}' } as const;
  (ENDPOINTS as Endpoint[]).push({ ...(notFound as Endpoint), id: 'another', route });
  return assetRoot;
};
const assetRoot =
  app.node.tryGetContext('anotherEndpoint') === 'true' ? withAnotherEndpoint() : 'dist/lambdas';

const { settings, metadata } = synthesisSettings((name) => app.node.tryGetContext(name));
const stack = new CuevaultStack(app, 'CuevaultStack', {
  ...settings,
  assetRoot,
  siteRoot: 'admin-ui/dist',
});

stack.templateOptions.metadata = metadata;

// Alarms with metric math and dashboards are unknown to it.
stack.node.tryRemoveChild('Monitoring');
stack.node.tryRemoveChild('Monitoring.NestedStack');

// A resource that cannot be created stands for anything that AWS may reject in an update.
const FAIL_ON_CREATE = `exports.handler = async (event) => {
  const Status = event.RequestType === 'Create' ? 'FAILED' : 'SUCCESS';
  const body = { ...event, Status, Reason: 'This update is meant to fail.', PhysicalResourceId: 'broken' };
  await fetch(event.ResponseURL, { method: 'PUT', body: JSON.stringify(body) });
};`;

if (app.node.tryGetContext('breakUpdate') === 'true') {
  const broken = new lambda.Function(stack, 'BrokenFunction', {
    runtime: lambda.Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: lambda.Code.fromInline(FAIL_ON_CREATE),
  });
  new CustomResource(stack, 'Broken', { serviceToken: broken.functionArn });
}

// ministack imports only tables of the other type, which have one replica.
stack.node.findAll().forEach((node) => {
  if (!CfnResource.isCfnResource(node) || node.cfnResourceType !== 'AWS::DynamoDB::GlobalTable') return;
  node.addOverride('Type', 'AWS::DynamoDB::Table');
  node.addPropertyOverride('Tags', [{ Key: STAGE_TAG, Value: 'test' }]);
  const [{ resourcePolicy }] = stack.resolve((node as CfnGlobalTable).replicas);
  node.addPropertyOverride('ResourcePolicy.PolicyDocument', resourcePolicy.policyDocument);
  node.addPropertyDeletionOverride('Replicas');
});

// The functions fetch the keys of the user pool from the emulator.
const keys = Fn.join('', [
  process.env.AWS_ENDPOINT_URL ?? '',
  '/',
  Fn.ref('Operators'),
  '/.well-known/jwks.json',
]);
for (const { id, access } of ENDPOINTS) {
  if (access.kind !== 'operator') continue;
  (stack.node.findChild(id) as Operation).function.addEnvironment(ENVIRONMENT.tokenKeys, keys);
}

const leaveOut = (node: IConstruct): void => {
  if (!CfnResource.isCfnResource(node) || !LEFT_OUT.has(node.cfnResourceType)) return;
  node.node.scope?.node.tryRemoveChild(node.node.id);
};
Aspects.of(stack).add({ visit: leaveOut });
app.synth();
