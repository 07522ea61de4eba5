import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from './new-folder.ts';

const EXPORTS = '{"type": "module", "exports": {"./*": "./index.js", ".": "./index.js"}}';

/** Makes a project with the TypeScript client as npm installs it, and with the sources of packages that replace others. */
export const newProject = (standIns: Readonly<Record<string, string>>): string => {
  const project = newFolder();
  const modules = path.join(project, 'node_modules');
  const installed = path.join(modules, 'cuevault');
  mkdirSync(path.join(modules, '.bin'), { recursive: true });
  execFileSync(process.execPath, ['clients/typescript/build.mjs', path.join(installed, 'dist')]);
  cpSync('clients/typescript/package.json', path.join(installed, 'package.json'));
  symlinkSync('../cuevault/dist/cli.js', path.join(modules, '.bin/cuevault'));
  writeFileSync(path.join(project, 'package.json'), '{"private": true, "type": "module"}');
  for (const [name, source] of Object.entries(standIns)) {
    const folder = path.join(modules, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'index.js'), source);
    writeFileSync(path.join(folder, 'package.json'), EXPORTS);
  }
  return project;
};
