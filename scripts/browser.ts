import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { chromium } from 'playwright-core';

const MODULES = fileURLToPath(new URL('../node_modules', import.meta.url));
const PACKED = fileURLToPath(new URL('../../bin/chromium.br', import.meta.resolve('@sparticuz/chromium')));

// The headless shell takes a third less processor time than the whole browser. The package has it for Linux on x64.
const headlessShell = (): string => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return '';
  const file = path.join(MODULES, `.cache/headless-shell-${statSync(PACKED).size}`);
  if (existsSync(file)) return file;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, brotliDecompressSync(readFileSync(PACKED)), { mode: 0o755 });
  renameSync(`${file}.${process.pid}`, file);
  return file;
};

const isWorking = (file: string): boolean =>
  // It may lack libraries. On Windows this would open a window.
  existsSync(file) && (process.platform === 'win32' || spawnSync(file, ['--version']).status === 0);

/**
 * The path of a browser that starts; Playwright downloads one if there is none. If `CHROMIUM_PATH` is set, only that path
 * is tried.
 * @throws Error that says what to install.
 */
export const provideBrowser = (): string => {
  const chosen = process.env.CHROMIUM_PATH;
  const usual = ['/usr/bin/chromium', '/usr/bin/google-chrome', chromium.executablePath()];
  const find = () => (chosen ? [chosen] : [headlessShell(), ...usual]).find(isWorking);
  const found = find();
  if (found !== undefined) return found;
  const install = [path.join(MODULES, 'playwright-core/cli.js'), 'install', '--with-deps', 'chromium'];
  // Standard output is for test results.
  if (!chosen) spawnSync(process.execPath, install, { stdio: ['ignore', 2, 2] });
  const installed = find();
  if (installed !== undefined) return installed;
  throw new Error('No browser starts: install Chromium, or set CHROMIUM_PATH to the path of its executable.');
};
