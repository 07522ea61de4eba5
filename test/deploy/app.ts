// The stack with what a later release may have.
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CfnUserPoolDomain } from 'aws-cdk-lib/aws-cognito';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { App, CustomResource } from 'aws-cdk-lib/core';
import cdk from '../../cdk.json' with { type: 'json' };
import type { Endpoint } from '../../contract/endpoint.ts';
import { notFound } from '../../contract/endpoints/service.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { CuevaultStack } from '../../lib/cuevault-stack.ts';
import { synthesisSettings } from '../../lib/settings.ts';

const app = new App({ context: cdk.context, analyticsReporting: false });

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

// The emulator cannot import a domain, and a user pool has only one.
if (app.node.tryGetContext('adopted') === 'true') {
  const domain = stack.node.findAll().find((node) => node instanceof CfnUserPoolDomain);
  domain?.node.scope?.node.tryRemoveChild(domain.node.id);
}

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

app.synth();
