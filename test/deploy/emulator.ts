import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { freeLoopback, listenOnLoopback } from '../../local/loopback.ts';
import { GLOBAL_TABLE, rewrite, type Template } from './rewrite.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const VENV = fileURLToPath(new URL('.venv', import.meta.url));
const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url));
const NODE_BIN = path.join(ROOT, 'node_modules/.bin');

const START_MS = 60_000;
const POLL_MS = 100;

/** A running ministack: an AWS emulator that executes CloudFormation templates, and functions with the local Node. */
export interface Emulator {
  readonly url: string;
  /** Runs the CDK CLI against it. Returns the exit status and everything the command printed. */
  readonly cdk: (...args: string[]) => Promise<{ readonly status: number; readonly output: string }>;
  /** Runs one of the project's scripts against it. */
  readonly node: (...args: string[]) => Promise<{ readonly status: number; readonly output: string }>;
  /** Runs any other program against it, in a folder. */
  readonly run: (
    cwd: string,
    program: string,
    ...args: string[]
  ) => Promise<{ readonly status: number; readonly output: string }>;
  /** Options for clients of the AWS SDK. */
  readonly client: {
    readonly endpoint: string;
    readonly region: string;
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
  readonly stop: () => Promise<void>;
}

const run = (program: string, ...args: string[]): void => {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stderr}`);
};

/** Installs the emulator into its own virtual environment, once per version of its requirements. */
const install = (): void => {
  const python = process.env.PYTHON ?? 'python3';
  const wanted = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex');
  const stamp = path.join(VENV, '.cuevault-prepared');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(VENV, { recursive: true, force: true });
  run(python, '-m', 'venv', VENV);
  run(path.join(VENV, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS);
  writeFileSync(stamp, wanted);
};

const isReady = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/_ministack/health`)).ok;
  } catch {
    return false;
  }
};

const untilReady = async (url: string, server: ChildProcess): Promise<void> => {
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(POLL_MS)) {
    if (server.exitCode !== null) throw new Error(`The emulator ended with code ${server.exitCode}.`);
    if (await isReady(url)) return;
  }
  throw new Error('The emulator did not start within a minute.');
};

const CHANGE_SET = /Action=(CreateChangeSet|GetTemplateSummary)/;

/** Replaces the template of a change set, as its text or its address, by what the emulator can deploy. */
const withRewritten = async (sent: string, url: string): Promise<string> => {
  const form = new URLSearchParams(sent);
  const [body, address] = [form.get('TemplateBody'), form.get('TemplateURL')];
  if (form.get('StackName') === 'CDKToolkit') return sent;
  for (const [name, value] of form) if (value === GLOBAL_TABLE) form.set(name, 'AWS::DynamoDB::Table');
  // The CLI sends a short one as YAML.
  if (body !== null) form.set('TemplateBody', JSON.stringify(rewrite(parse(body), url)));
  if (address !== null) {
    const place = url + new URL(address).pathname;
    const rewritten = JSON.stringify(rewrite((await (await fetch(place)).json()) as Template, url));
    await fetch(`${place}.rewritten`, { method: 'PUT', body: rewritten });
    form.set('TemplateURL', `${address}.rewritten`);
  }
  return form.toString();
};

/** Stands before the emulator, so that a command deploys what it has synthesized, without knowing where. */
const startFront = async (url: string): Promise<{ readonly front: Server; readonly address: string }> => {
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = await buffer(request);
    if (CHANGE_SET.test(body.toString('latin1', 0, 10_000)))
      body = Buffer.from(await withRewritten(String(body), url));
    const headers = { ...request.headers, 'content-length': String(body.length) };
    const onward = httpRequest(url + request.url, { method: request.method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(response);
    });
    onward.on('error', () => response.destroy()).end(body);
  };
  const front = createServer((request, response) => {
    forward(request, response).catch((error) => response.writeHead(400).end(String(error)));
  });
  return { front, address: `http://${await listenOnLoopback(front)}` };
};

const notOfAws = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^AWS_|^NODE_OPTIONS$/.test(name)),
);

const outcomeOf = async (child: ChildProcess) => {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status: status ?? 1, output };
};

/** Starts an empty emulator on the loopback interface; its files are deleted when it stops. */
export const startEmulator = async (): Promise<Emulator> => {
  install();
  const folder = mkdtempSync(path.join(tmpdir(), 'cuevault-deploy-'));
  const { port } = await freeLoopback();
  const direct = `http://127.0.0.1:${port}`;
  const { front, address: url } = await startFront(direct);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const environment = {
    HOME: folder,
    TMPDIR: folder,
    PATH: `${NODE_BIN}${path.delimiter}${process.env.PATH ?? ''}`,
    BIND_HOST: '127.0.0.1',
    GATEWAY_PORT: port,
    IOT_MTLS_ENABLED: '0',
    SFTP_ENABLED: '0',
    AWS_ENDPOINT_URL: direct,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_REGION: 'us-east-1',
    CI: 'true',
  };
  // Its own process group, so that its function workers end with it.
  const server = spawn(path.join(VENV, 'bin/ministack'), {
    cwd: folder,
    env: environment,
    detached: true,
    stdio: 'ignore',
  });
  const stop = async (): Promise<void> => {
    if (server.exitCode === null && server.pid !== undefined) {
      process.kill(-server.pid, 'SIGKILL');
      await once(server, 'close');
    }
    front.close();
    front.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  };
  const start = (program: string, args: readonly string[], cwd: string, others: NodeJS.ProcessEnv = {}) =>
    outcomeOf(
      spawn(program, args, {
        cwd,
        env: { ...others, ...environment, AWS_ENDPOINT_URL: url },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  try {
    await untilReady(direct, server);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    // Outside of the repository, bootstrapping needs no app; the others name theirs.
    cdk: (command, ...args) =>
      start(path.join(NODE_BIN, 'cdk'), [command, ...args], command === 'bootstrap' ? folder : ROOT),
    node: (...args) => start(process.execPath, args, ROOT),
    // With the registry and the certificates of whoever runs the tests.
    run: (cwd, program, ...args) => start(program, args, cwd, notOfAws),
    client: { endpoint: url, region: 'us-east-1', credentials },
    stop,
  };
};
