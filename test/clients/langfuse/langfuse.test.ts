import { execFileSync } from 'node:child_process';
import { LangfuseClient } from '@langfuse/client';
import { ask } from '../../support/admin.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

let chat: string;
let text: string;
withSharedInstance();
beforeAll(async () => {
  chat = `support/${uniqueName('chat')}`;
  text = `${uniqueName('text')} ö?`;
  const messages = [
    { role: 'system', content: 'You are {{tone}}.' },
    { type: 'placeholder', name: 'history' },
    { role: 'user', content: '{{question}}' },
  ];
  const config = { temperature: 0.2 };
  await ask('prompts-create', { name: chat, type: 'chat', messages, config, label: 'production' });
  await ask('prompts-create', { name: text, prompt: 'Hello {{user}}!', version: '1.2.3' });
});

const VARIABLES = { tone: 'friendly', question: 'Where is it?' };
const HISTORY = [{ role: 'assistant', content: 'Hi' }];
const EXPECTED = {
  version: 1_000_000,
  config: { temperature: 0.2 },
  labels: ['latest', 'production'],
  messages: [
    { role: 'system', content: 'You are friendly.' },
    { role: 'assistant', content: 'Hi' },
    { role: 'user', content: 'Where is it?' },
  ],
  text: 'Hello Ada!',
  textVersion: 1_002_003,
  langchain: 'Hello {user}!',
};

test("Langfuse's TypeScript client reads and compiles prompts from here", async () => {
  const { url, firstRun } = instance;
  const langfuse = new LangfuseClient({ publicKey: 'pk-lf-any', secretKey: firstRun.apiKey, baseUrl: url });
  const prompt = await langfuse.prompt.get(chat, { type: 'chat' });
  const greeting = await langfuse.prompt.get(text, { version: 1_002_003 });
  expect({
    version: prompt.version,
    config: prompt.config,
    labels: prompt.labels,
    messages: prompt.compile(VARIABLES, { history: HISTORY }),
    text: greeting.compile({ user: 'Ada' }),
    textVersion: greeting.version,
    langchain: greeting.getLangchainPrompt(),
    missing: greeting.compile({}),
  }).toEqual({ ...EXPECTED, missing: 'Hello !' });
  const missing = langfuse.api.prompts.get('missing', {}, { maxRetries: 0 });
  await expect(missing).rejects.toThrow(expect.objectContaining({ statusCode: 404 }));
});

const PYTHON = `
import json, os, sys
from langfuse import Langfuse
client = Langfuse(public_key="pk-lf-any", secret_key=os.environ["KEY"], base_url=os.environ["URL"], tracing_enabled=False)
chat, text, variables, history = json.loads(sys.argv[1])
prompt = client.get_prompt(chat, type="chat")
greeting = client.get_prompt(text, version=1002003)
try:
    client.get_prompt("missing", max_retries=0)
    sys.exit("a missing prompt was found")
except Exception:
    pass
print(json.dumps({
    "version": prompt.version, "config": prompt.config, "labels": prompt.labels,
    "messages": prompt.compile(history=history, **variables),
    "text": greeting.compile(user="Ada"), "textVersion": greeting.version,
    "langchain": greeting.get_langchain_prompt(), "missing": greeting.compile(),
}))
`;

test("Langfuse's Python client reads and compiles prompts from here", () => {
  execFileSync(process.execPath, ['scripts/python.mjs']);
  const env = { ...process.env, KEY: instance.firstRun.apiKey, URL: instance.url, NO_PROXY: '*' };
  const sent = JSON.stringify([chat, text, VARIABLES, HISTORY]);
  const output = execFileSync('clients/python/.venv/bin/python', ['-c', PYTHON, sent], {
    env,
    stdio: 'pipe',
  });
  expect(JSON.parse(output.toString())).toEqual({ ...EXPECTED, missing: 'Hello {{user}}!' });
}, 300_000);
