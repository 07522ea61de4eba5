// Finds the browser for the tests: Chromium, Chrome or Edge in its usual location. If there is none, Playwright
// downloads one; if that fails, the distribution's package manager installs one.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { chromium } from 'playwright-core';

/** What the location of a browser depends on. */
export interface BrowserPlaces {
  readonly platform: NodeJS.Platform;
  readonly environment: NodeJS.ProcessEnv;
}

const HERE: BrowserPlaces = { platform: process.platform, environment: process.env };
// The headless shell takes a third less processor time than the whole browser.
const COMMANDS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
];
const LINUX_FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin'];
const MAC_APPLICATIONS = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
const WINDOWS_PROGRAMS = [
  String.raw`Google\Chrome\Application\chrome.exe`,
  String.raw`Chromium\Application\chrome.exe`,
  String.raw`Microsoft\Edge\Application\msedge.exe`,
];
const WINDOWS_ROOTS = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'];

/** Paths of Chromium, Chrome and Edge on a system, in order of preference. */
export const browserCandidates = ({ platform, environment }: BrowserPlaces = HERE): readonly string[] => {
  if (platform === 'darwin') {
    return ['', environment.HOME ?? ''].flatMap((home) =>
      MAC_APPLICATIONS.map((name) => `${home}/Applications/${name}.app/Contents/MacOS/${name}`),
    );
  }
  if (platform === 'win32') {
    const roots = WINDOWS_ROOTS.flatMap((name) => environment[name] ?? []);
    return roots.flatMap((root) => WINDOWS_PROGRAMS.map((program) => path.win32.join(root, program)));
  }
  const folders = new Set([...(environment.PATH ?? '').split(':').filter(Boolean), ...LINUX_FOLDERS]);
  return COMMANDS.flatMap((command) => [...folders].map((folder) => path.posix.join(folder, command)));
};

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

// The command can be a stub that says how to install a browser, or lack libraries. On Windows it would open a window.
const works = (file: string): boolean =>
  isExecutable(file) &&
  (process.platform === 'win32' || spawnSync(file, ['--version'], { stdio: 'ignore' }).status === 0);

/** The path of a browser that starts, or undefined. If `CHROMIUM_PATH` is set, only that path is tried. */
export const findBrowser = (): string | undefined => {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) return works(chosen) ? chosen : undefined;
  return [...browserCandidates(), chromium.executablePath()].find(works);
};

const run = (command: string, ...args: string[]): boolean =>
  // Standard output is for test results.
  spawnSync(command, args, { stdio: ['ignore', 2, 2] }).status === 0;

const playwright = (...args: string[]): boolean => {
  const cli = path.join(path.dirname(createRequire(import.meta.url).resolve('playwright-core')), 'cli.js');
  return run(process.execPath, cli, ...args);
};

const PACKAGE_MANAGERS: readonly (readonly string[])[] = [
  // Debian has the shell; Ubuntu does not.
  ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell'],
  ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium'],
  ['dnf', 'install', '-y', '-q', 'chromium'],
  ['apk', 'add', '-q', 'chromium'],
  ['pacman', '-Sy', '--noconfirm', 'chromium'],
];

const installPackage = (): void => {
  for (const [command = '', ...args] of PACKAGE_MANAGERS) {
    if (spawnSync(command, ['--version'], { stdio: 'ignore' }).error !== undefined) continue;
    if (command === 'apt-get') run(command, 'update', '-qq');
    if (run(command, ...args)) return;
  }
};

const mayInstallPackages = (): boolean => process.platform === 'linux' && process.getuid?.() === 0;

/**
 * The path of a browser that starts; installs one if there is none.
 * @throws Error that says what to install.
 */
export const provideBrowser = (): string => {
  const found = findBrowser();
  if (found !== undefined) return found;
  if (process.env.CHROMIUM_PATH)
    throw new Error(`CHROMIUM_PATH is ${process.env.CHROMIUM_PATH}, but no browser starts from this path.`);
  console.error('Installing Chromium for the tests (once)...');
  const isDownloaded = playwright('install', '--no-shell', '--no-progress', 'chromium');
  if (isDownloaded && findBrowser() === undefined && mayInstallPackages())
    playwright('install-deps', 'chromium');
  if (findBrowser() === undefined && mayInstallPackages()) installPackage();
  const installed = findBrowser();
  if (installed !== undefined) return installed;
  throw new Error(
    'The tests need Chromium, Chrome or Edge: install one of them, or set CHROMIUM_PATH to the path of its executable.',
  );
};
