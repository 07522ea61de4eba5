import { fileURLToPath } from 'node:url';
import { App } from 'aws-cdk-lib/core';
import cdk from '../cdk.json' with { type: 'json' };
import { CuevaultStack } from '../lib/cuevault-stack.ts';
import { assertKnownSettings, SettingError, synthesisSettings } from '../lib/settings.ts';

const synthesize = async (): Promise<void> => {
  // The CDK CLI passes the context of cdk.json. Set it here too, so that `node bin/cuevault.ts` creates the same
  // template. Without `autoSynth`, an app without a stack is not synthesized after an error.
  const app = new App({ context: cdk.context, analyticsReporting: false, autoSynth: false });
  assertKnownSettings(Object.keys(app.node.getAllContext()));
  const { settings, metadata } = synthesisSettings((name) => app.node.tryGetContext(name));
  const stack = new CuevaultStack(app, 'CuevaultStack', {
    ...settings,
    assetRoot: fileURLToPath(new URL('../dist/lambdas', import.meta.url)),
    siteRoot: fileURLToPath(new URL('../admin-ui/dist', import.meta.url)),
  });
  stack.templateOptions.metadata = metadata;
  // Not in the package that deploys: it would install rules that this release has passed.
  if (process.env.CUEVAULT_COMMAND === undefined) (await import('cdk-preflight')).Preflight.apply(app);
  app.synth();
};

try {
  await synthesize();
} catch (error) {
  if (!(error instanceof SettingError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
