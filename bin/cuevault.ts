import { App } from 'aws-cdk-lib/core';
import cdk from '../cdk.json' with { type: 'json' };
import { CuevaultStack } from '../lib/cuevault-stack.ts';
import { assertCommercialRegion } from '../lib/partition.ts';
import { assertKnownSettings, assertRegion, SettingError, synthesisSettings } from '../lib/settings.ts';

const synthesize = (): void => {
  // The CDK CLI passes the context of cdk.json. Set it here too, so that `node bin/cuevault.ts` creates the same
  // template. Without `autoSynth`, an app without a stack is not synthesized after an error.
  const app = new App({ context: cdk.context, analyticsReporting: false, autoSynth: false });
  // The CLI sets it to the region of the credentials.
  assertCommercialRegion(process.env.CDK_DEFAULT_REGION);
  assertKnownSettings(Object.keys(app.node.getAllContext()));
  const { settings, metadata } = synthesisSettings((name) => app.node.tryGetContext(name));
  assertRegion(settings, process.env.CDK_DEFAULT_REGION);
  const stack = new CuevaultStack(app, 'CuevaultStack', { settings });
  stack.templateOptions.metadata = metadata;
  app.synth();
};

try {
  synthesize();
} catch (error) {
  if (!(error instanceof SettingError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
