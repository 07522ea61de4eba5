import { App } from 'aws-cdk-lib/core';
import cdk from '../cdk.json' with { type: 'json' };
import { CuevaultStack } from '../lib/cuevault-stack.ts';
import { readSettings } from '../lib/settings.ts';

// The CDK CLI hands the context of cdk.json over; given here too, a plain `node bin/cuevault.ts` makes the same template.
const app = new App({ context: cdk.context, analyticsReporting: false });
const settings = readSettings((name) => app.node.tryGetContext(name));

new CuevaultStack(app, 'CuevaultStack', {
  stackName: `cuevault-${settings.stage}`,
  description: 'Cuevault: prompts and secrets for applications',
  settings,
});

app.synth();
