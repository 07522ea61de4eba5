import { isIP } from 'node:net';
import path from 'node:path';
import { StartError } from './start-error.ts';

export interface Settings {
  /** Absolute path of the data folder. */
  readonly dataFolder: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** Address to listen on besides the loopback addresses; undefined for these alone. */
  readonly host?: string | undefined;
  /** Hosts, with their ports, that are answered besides those of this machine. Operators sign in at the first. */
  readonly allowedHosts: readonly string[];
  /** Address that receives every change as an event. */
  readonly webhook: string | undefined;
  /** Whether the first start creates samples. */
  readonly sample: boolean;
  /** Calls per second that each API key may make on the routes for code. @default - any number */
  readonly publishRate?: number | undefined;
  /** An address that speaks OpenAI's chat completions, and its key. @default - prompts are not tried on a model */
  readonly model?: { readonly url: string; readonly key: string | undefined } | undefined;
}

/** How this program was started. The package `cuevault-server` is compiled with another value. */
export const COMMAND = process.env.CUEVAULT_COMMAND ?? 'npm start';

export const HELP = `${COMMAND} runs a complete Cuevault on this machine. It takes no arguments, but reads these variables:

  PORT                        port to listen on (3000)
  CUEVAULT_HOST               address to listen on, such as 0.0.0.0 (this machine only)
  CUEVAULT_ALLOWED_HOSTS      further hosts to answer, such as localhost:8080,host.docker.internal:8080; the admin UI is at
                              the first
  CUEVAULT_DATA               folder for all data (.cuevault)
  CUEVAULT_SAMPLE             0 starts without sample prompts and secrets
  CUEVAULT_PUBLISH_RATE       calls from code per second that each API key may make, such as 10 on AWS (unlimited)
  CUEVAULT_WEBHOOK            address that receives every change, such as http://localhost:8080/changes
  CUEVAULT_MODEL_URL          address that speaks OpenAI's chat completions, to try prompts on; https, or this machine
  CUEVAULT_MODEL_KEY          its key
  CUEVAULT_DYNAMODB_ENDPOINT  use this DynamoDB-compatible endpoint instead of the embedded engine`;

/** Whether the arguments ask for help. Errors: `StartError` for any other argument. */
export const wantsHelp = (args: readonly string[]): boolean => {
  const unknown = args.find((arg) => arg !== '--help' && arg !== '-h');
  if (unknown === undefined) return args.length > 0;
  throw new StartError(`There is no argument ${JSON.stringify(unknown)}: --help lists the variables to set.`);
};

const portOf = (text: string): number => {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new StartError(`PORT must be a whole number from 0 to 65535, not "${text}".`);
  }
  return port;
};

const publishRateOf = (text: string | undefined): number | undefined => {
  if (!text) return undefined;
  const perSecond = Number(text);
  if (Number.isFinite(perSecond) && perSecond > 0) return perSecond;
  throw new StartError(`CUEVAULT_PUBLISH_RATE must be a number of calls per second, not "${text}".`);
};

const webhookOf = (text: string | undefined): string | undefined => {
  if (!text) return undefined;
  const url = URL.parse(text);
  // The address can contain a token, so the error does not repeat it.
  if (!/^https?:$/.test(url?.protocol ?? ''))
    throw new StartError(
      'CUEVAULT_WEBHOOK must be an http or https address, such as http://localhost:8080/changes.',
    );
  if (url?.username || url?.password)
    throw new StartError(
      'CUEVAULT_WEBHOOK must not contain a user name or password. Put a token into the path or query.',
    );
  return text;
};

const modelOf = ({ CUEVAULT_MODEL_URL: text, CUEVAULT_MODEL_KEY: key }: NodeJS.ProcessEnv) => {
  if (!text) return undefined;
  const { protocol, hostname = '', username, password } = URL.parse(text) ?? {};
  const isHere = protocol === 'http:' && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol !== 'https:' && !isHere)
    throw new StartError(
      'CUEVAULT_MODEL_URL must be an https address, or one of this machine such as http://localhost:11434/v1.',
    );
  // A path is appended to the address, and editors read what a call says of it and of the key.
  if (username || password || /[?#]/.test(text))
    throw new StartError(
      'CUEVAULT_MODEL_URL must not contain a user name, password, query or fragment. Put a key into CUEVAULT_MODEL_KEY.',
    );
  if (key && !/^[!-~]+$/.test(key))
    throw new StartError('CUEVAULT_MODEL_KEY must be ASCII characters without blanks and line breaks.');
  return { url: text, key: key || undefined };
};

const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

const allowedHostsOf = (text = ''): readonly string[] => {
  const hosts = text
    .toLowerCase()
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '');
  const wrong = hosts.find((host) => !HOST.test(host));
  if (wrong === undefined) return hosts;
  throw new StartError(`CUEVAULT_ALLOWED_HOSTS must list hosts such as localhost:8080, not "${wrong}".`);
};

const hostOf = (text: string | undefined): string | undefined => {
  if (!text) return undefined;
  if (isIP(text) !== 0) return text;
  throw new StartError(`CUEVAULT_HOST must be an IP address, such as 0.0.0.0, not "${text}".`);
};

/** The data folder from the environment. An empty variable counts as not set. */
export const dataFolderOf = ({ CUEVAULT_DATA }: NodeJS.ProcessEnv): string =>
  path.resolve(CUEVAULT_DATA || '.cuevault');

/** Reads the settings. An empty variable counts as not set. Errors: `StartError` for an invalid value. */
export const readSettings = (environment: NodeJS.ProcessEnv): Settings => ({
  dataFolder: dataFolderOf(environment),
  port: portOf(environment.PORT || '3000'),
  host: hostOf(environment.CUEVAULT_HOST),
  allowedHosts: allowedHostsOf(environment.CUEVAULT_ALLOWED_HOSTS),
  sample: environment.CUEVAULT_SAMPLE !== '0',
  webhook: webhookOf(environment.CUEVAULT_WEBHOOK),
  publishRate: publishRateOf(environment.CUEVAULT_PUBLISH_RATE),
  model: modelOf(environment),
});
