import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMMAND } from './command.ts';
import { CommandError } from './stack.ts';

/** A new folder, in which the CLI finds no settings of another project. */
export const newFolder = (): string => mkdtempSync(path.join(tmpdir(), 'cuevault-deploy-'));

const runNode = (file: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): boolean =>
  spawnSync(process.execPath, [file, ...args], { stdio: 'inherit', cwd, env: { ...process.env, ...env } })
    .status === 0;

/** Runs the CDK CLI of this release, whatever is on the PATH; returns whether it succeeded. */
export const runCdk = (args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): boolean => {
  const file = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk');
  return runNode(file, ['--no-notices', ...args], cwd, { CDK_DISABLE_CLI_TELEMETRY: 'true', ...env });
};

/**
 * Writes the template and its files into a folder with the app of the package; in a clone, the CLI runs that of `cdk.json`.
 * Errors: `CommandError`.
 */
export const synthesize = (folder: string, context: object, region: string): void => {
  const app = fileURLToPath(new URL('../bin/cuevault.mjs', import.meta.url));
  const env = { CDK_OUTDIR: folder, CDK_CONTEXT_JSON: JSON.stringify(context), CDK_DEFAULT_REGION: region };
  if (!runNode(app, [], folder, env)) throw new CommandError('Nothing was deployed. See the output above.');
};

/** Whether this is a package that has an app of its own. */
export const HAS_APP = COMMAND !== undefined;
