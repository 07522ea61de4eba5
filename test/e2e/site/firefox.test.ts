import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { ask, useInstance } from '../../support/admin.ts';
import { newFolder } from '../../support/new-folder.ts';
import { ensureOperator } from '../../support/operators.ts';
import { type OwnInstance, ownInstance } from '../../support/shared/instance.ts';
import { linkOf } from '../../support/sign-in.ts';

// WebDriver BiDi as it is: Playwright's client sends commands that Debian's Firefox does not know.
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: {
    readonly contexts?: readonly { context: string }[];
    readonly result?: { value?: unknown };
  };
  readonly error?: string;
  readonly params?: { readonly level: string; readonly text: string };
}

let firefox: ChildProcess;
let socket: WebSocket;
let instance: OwnInstance;
let sent = 0;
let context: string | undefined;
const problems: string[] = [];
const waiting = new Map<number | undefined, (message: Message) => void>();

const send = async (method: string, params: object): Promise<NonNullable<Message['result']>> => {
  const { promise, resolve } = Promise.withResolvers<Message>();
  sent += 1;
  waiting.set(sent, resolve);
  socket.send(JSON.stringify({ id: sent, method, params }));
  const { result, error } = await promise;
  if (result === undefined) throw new Error(`${method}: ${error}`);
  return result;
};

const open = (path: string) =>
  send('browsingContext.navigate', { context, url: instance.url + path, wait: 'complete' });

const evaluated = async (expression: string): Promise<unknown> =>
  (await send('script.evaluate', { expression, target: { context }, awaitPromise: false })).result?.value;

const until = async (expression: string): Promise<void> => {
  // The page may be on its way to another.
  while ((await evaluated(expression).catch(() => false)) !== true) await wait(50);
};

beforeAll(async () => {
  instance = useInstance(await ownInstance({ sample: true }));
  const options = ['--headless', '--remote-debugging-port=0', '--profile', newFolder()];
  firefox = spawn(process.env.FIREFOX_PATH ?? 'firefox-esr', options, {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (firefox.stderr === null) throw new Error('Firefox has no standard error.');
  for await (const line of createInterface(firefox.stderr)) {
    const [address] = line.match(/ws:\/\/\S+/) ?? [];
    if (address === undefined) continue;
    socket = new WebSocket(`${address}/session`);
    break;
  }
  firefox.stderr.resume();
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.method === 'log.entryAdded' && message.params?.level === 'error')
      problems.push(message.params.text);
    waiting.get(message.id)?.(message);
  });
  await once(socket, 'open');
  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  context = (await send('browsingContext.getTree', {})).contexts?.[0]?.context;
});

afterAll(async () => {
  socket?.close();
  if (firefox?.kill()) await once(firefox, 'exit');
  await instance?.stop();
});

test('every screen opens in Firefox after a sign-in, without an error', async () => {
  await ensureOperator(instance, ['admin']);
  await open(linkOf(instance).slice(instance.url.length));
  await until(`document.querySelector('h1')?.textContent === 'Overview'`);
  const [{ promptId }] = (await ask('prompts-list')).prompts;
  const [{ secretId }] = (await ask('secrets-list')).secrets;
  const [{ keyId }] = (await ask('keys-list')).keys;
  const prompt = ['', '/new-version', '/compare', '/usage'].map((rest) => `/prompts/${promptId}${rest}`);
  const prompts = ['/prompts', '/prompts/live', '/prompts/labels', '/prompts/deleted', '/prompts/new'];
  const secrets = ['/secrets', '/secrets/import', '/secrets/who-has', `/secrets/${secretId}`, '/vault'];
  const others = ['/api-keys', `/api-keys/${keyId}`, '/operators', '/notifications', '/audit', '/'];
  for (const path of [...prompts, ...prompt, ...secrets, ...others]) {
    await open(path);
    await until(
      `document.querySelector('h1') !== null && document.querySelector('[aria-busy=true]') === null`,
    );
  }
  expect(problems).toEqual([]);
});
