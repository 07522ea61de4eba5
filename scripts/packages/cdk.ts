import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import npm from '../../package.json' with { type: 'json' };
import { compile, complete, ROOT, run } from './package.ts';

const ABSENT = 'export const [startInstance, accessToken, isRunning, readFirstRun] = [];';

/** The declarations of the construct and of what they mention. The compiler leaves the endings of the sources. */
const declare = (folder: string): void => {
  const config = path.join(folder, 'tsconfig.json');
  const compilerOptions = { noEmit: false, declaration: true, emitDeclarationOnly: true, types: ['node'] };
  const typeRoots = [path.join(ROOT, 'node_modules/@types')];
  writeFileSync(
    config,
    JSON.stringify({
      extends: path.join(ROOT, 'tsconfig.json'),
      compilerOptions: { ...compilerOptions, typeRoots, rootDir: ROOT, outDir: path.join(folder, 'all') },
      include: [],
      files: [path.join(ROOT, 'lib/cuevault-stack.ts')],
    }),
  );
  run(process.execPath, 'node_modules/typescript/bin/tsc', '-p', config);
  for (const name of ['cuevault-stack', 'settings']) {
    const text = readFileSync(path.join(folder, 'all/lib', `${name}.d.ts`), 'utf8');
    writeFileSync(path.join(folder, `${name}.d.ts`), text.replaceAll(/(from )'(\.[^']*)\.ts'/g, "$1'$2.js'"));
  }
  for (const made of ['all', 'tsconfig.json']) rmSync(path.join(folder, made), { recursive: true });
};

/** Fills a folder with the package of the construct and its commands, from the assembled bundles and admin site. */
export const buildCdk = async (folder: string): Promise<void> => {
  // CommonJS, which `import` and `require` load alike: two copies would be two classes.
  const stack = await compile({
    entryPoints: ['lib/cuevault-stack.ts'],
    outdir: folder,
    format: 'cjs',
    splitting: false,
    outExtension: { '.js': '.js' },
    define: { 'import.meta.url': 'here' },
    banner: { js: "const here = require('node:url').pathToFileURL(__filename).href;" },
    external: ['aws-cdk-lib', 'constructs'],
  });
  const commands = await compile({
    entryPoints: ['scripts/packages/cdk-command.ts'],
    outdir: path.join(folder, 'commands'),
    define: { 'process.env.CUEVAULT_COMMAND': '"npx --no cuevault-cdk"' },
    external: ['aws-cdk-lib', 'constructs'],
    // With a stack, no command starts an instance on this machine.
    plugins: [
      {
        name: 'no instance',
        setup: ({ onLoad }) =>
          onLoad({ filter: /local\/(instance|operator-token)\.ts$/ }, () => ({ contents: ABSENT })),
      },
    ],
  });
  declare(folder);
  cpSync(path.join(ROOT, 'dist/lambdas'), path.join(folder, 'assets/lambdas'), { recursive: true });
  cpSync(path.join(ROOT, 'admin-ui/dist'), path.join(folder, 'assets/site'), { recursive: true });
  // Alarms refer to it.
  cpSync(path.join(ROOT, 'docs/operations.md'), path.join(folder, 'docs/operations.md'));
  const { 'aws-cdk-lib': cdk, constructs } = npm.devDependencies;
  complete(folder, {
    name: 'cuevault-cdk',
    description: 'Cuevault as a construct for your AWS CDK app: prompts and secrets for applications',
    start: './commands/cdk-command.mjs',
    readme: 'lib/README.md',
    bundles: [stack, commands],
    fields: {
      main: './cuevault-stack.js',
      types: './cuevault-stack.d.ts',
      peerDependencies: { 'aws-cdk-lib': `^${cdk}`, constructs: `^${constructs}` },
    },
  });
};
