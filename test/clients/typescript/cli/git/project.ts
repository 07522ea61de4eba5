import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SharedInstance } from '../../../../support/calls.ts';
import { newFolder } from '../../../../support/new-folder.ts';
import { runCli } from '../processes.ts';

/** Independent of the settings of the user who runs the tests. */
export const GIT = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};

/** A real git repository, and the command line with an API key. */
export interface Project {
  readonly folder: string;
  readonly git: (...args: string[]) => string;
  readonly write: (name: string, text: string) => void;
  readonly read: (name: string) => string;
  /** Writes files, and commits everything. Returns the commit. */
  readonly commit: (files?: Readonly<Record<string, string>>) => string;
  readonly cuevault: (...args: string[]) => ReturnType<typeof runCli>;
}

/** The project in a folder that has a repository. It writes and reads files whose names begin with those of the team. */
export const projectIn = (folder: string, { url }: SharedInstance, apiKey: string, team = ''): Project => {
  const env = { ...GIT, CUEVAULT_URL: url, CUEVAULT_API_KEY: apiKey };
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, env: { ...process.env, ...env }, encoding: 'utf8' }).trim();
  const fileOf = (name: string) => join(folder, 'prompts', team, `${name}.prompt`);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(fileOf(name)), { recursive: true });
    writeFileSync(fileOf(name), text);
  };
  return {
    folder,
    git,
    write,
    read: (name) => readFileSync(fileOf(name), 'utf8'),
    commit: (files = {}) => {
      for (const [name, text] of Object.entries(files)) write(name, text);
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '--message', 'Change prompts');
      return git('rev-parse', 'HEAD');
    },
    cuevault: (...args) => runCli(args, env, folder),
  };
};

/** A new repository with a remote. */
export const newProject = (
  instance: SharedInstance,
  apiKey: string,
  repository: string,
  team?: string,
): Project => {
  const project = projectIn(newFolder(), instance, apiKey, team);
  project.git('init', '--quiet', '--initial-branch', 'main');
  project.git('remote', 'add', 'origin', `https://github.com/${repository}.git`);
  return project;
};
