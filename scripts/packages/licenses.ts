import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Metafile } from 'esbuild';

const licenseOf = (folder: string): string => {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = ['LICENSE', 'LICENSE.md', 'license', 'LICENSE.txt'].find((each) =>
    existsSync(path.join(folder, each)),
  );
  const text = file === undefined ? license : readFileSync(path.join(folder, file), 'utf8').trim();
  return `${name} ${version}\n\n${text}\n`;
};

/** The licenses of the packages that bundles contain, which were made in the folder `base`. */
export const licensesOf = (bundles: readonly Metafile[], base: string): string => {
  const inputs = bundles.flatMap((each) => Object.keys(each.inputs));
  const folders = inputs.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  return [...new Set(folders)]
    .map((folder) => licenseOf(path.join(base, folder)))
    .sort()
    .join('\n\n');
};
