// npm start: a complete Cuevault on this machine.
import path from 'node:path';
import { JOBS } from '../contract/functions/jobs.ts';
import { type FirstRunResult, hasGreeting } from './first-run.ts';
import { type Instance, startInstance } from './instance.ts';
import { HELP, readSettings, wantsHelp } from './settings.ts';
import { StartError } from './start-error.ts';

// Terminals keep their output, so the key is shown only once. The link is another one at each start.
const welcome = (
  { url, apiKey, isFirst }: FirstRunResult,
  signInLink: string,
  dataFolder: string,
  greets: boolean,
): string => {
  const file = path.join(dataFolder, 'first-run.json');
  const call = (route: string, body: unknown) =>
    `  curl -s ${url}${route} -H "Authorization: Bearer ${isFirst ? apiKey : '$KEY'}" -d '${JSON.stringify(body)}'`;
  const greeting = { name: 'greeting', label: 'production', shouldCompile: true, variables: { user: 'Ada' } };
  return [
    '',
    `Cuevault is running at ${url}`,
    '',
    ...(isFirst
      ? []
      : ['Read the API key from its file:', `  KEY=$(node -p 'require("${file}").apiKey')`, '']),
    ...(greets ? ['Fetch a prompt:', call('/api/prompt/get-compiled', greeting), ''] : []),
    'Fetch the secrets:',
    call('/api/vault/get-secrets', {}),
    '',
    'Manage prompts and secrets, signed in as an administrator:',
    `  ${signInLink}`,
    '',
    `All data is in ${dataFolder}. Ctrl-C stops it.`,
    '',
  ].join('\n');
};

const PLAIN = /^[\w.:@/+-]+$/;

/** A line of a function's log as a person reads it; nothing for what went well. */
const readable = (line: string): string => {
  if (!line.startsWith('{"level"')) return line;
  const { level, message, timestamp, _aws, Stage, ...fields } = JSON.parse(line) as Record<string, unknown>;
  if (level === 'INFO') return '';
  const details = Object.entries(fields).map(([name, value]) => {
    const text = JSON.stringify(value);
    return ` ${name}=${typeof value === 'string' && PLAIN.test(value) ? value : text}`;
  });
  return `${String(timestamp).slice(11, 19)} ${level} ${message}${details.join('')}\n`;
};

const showLog = (lines: string): boolean =>
  process.stderr.write(
    lines
      .split(/(?<=\n)/)
      .map(readable)
      .join(''),
  );

const stopOnSignals = (instance: Instance): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      void instance.stop().finally(() => process.exit(0));
    });
  }
};

const stopWithEngine = async (instance: Instance): Promise<void> => {
  console.error((await instance.engine.ended).message);
  await instance.stop().finally(() => process.exit(1));
};

// A laptop rarely runs long enough for a schedule. Failures are in the function's log.
const catchUpWithSchedules = (instance: Instance): void => {
  for (const { id, everyMinutes, afterDeployment } of JOBS) {
    if (everyMinutes !== undefined && !afterDeployment) void instance.invoke(id, {});
  }
};

const main = async (): Promise<void> => {
  if (wantsHelp(process.argv.slice(2))) return console.log(HELP);
  const settings = readSettings(process.env);
  if (settings.host !== undefined && !/^(?:127\.|::1$)/.test(settings.host))
    console.error(
      `Cuevault listens on ${settings.host} without TLS, and whoever sees the link below is an administrator: let nobody else reach this port. Publish that of a container on 127.0.0.1.`,
    );
  const instance = await startInstance({ ...settings, onLog: showLog });
  stopOnSignals(instance);
  void stopWithEngine(instance);
  console.log(
    welcome(instance.firstRun, instance.signInLink, settings.dataFolder, await hasGreeting(instance.table)),
  );
  catchUpWithSchedules(instance);
};

try {
  await main();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exit(1);
}
