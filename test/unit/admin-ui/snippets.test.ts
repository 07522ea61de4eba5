import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import {
  curlSnippet,
  inputOf,
  pythonSnippet,
  typescriptSnippet,
} from '../../../admin-ui/src/components/snippet-texts.ts';
import { invalidVariables } from '../../../contract/content/variables.ts';

const base = { apiUrl: 'http://localhost:3000', choice: { kind: 'latest' }, variables: [] } as const;

test('the curl command passes any name to the service unchanged', () => {
  const name = `it's "quoted" $HOME \`x\` \\ é`;
  const snippet = curlSnippet({ ...base, name, variables: [['a', '…']] });
  const script = `curl() { printf '%s' "\${@: -1}"; }\n${snippet}`;
  const sent = execFileSync('bash', ['-c', script], { encoding: 'utf8' });
  expect(JSON.parse(sent)).toEqual({ name, shouldCompile: true, variables: { a: '…' } });
});

test('each snippet runs as it is: its values are defaults or enum values, and have the declared types', () => {
  const variables = {
    tone: { type: 'string', enum: ['kind', "it's"] },
    count: { type: 'integer', default: 3 },
    ratio: { type: 'number' },
    brief: { type: 'boolean' },
    items: { type: 'array' },
    options: { type: 'object', default: { deep: [null, false, 'true'] } },
  } as const;
  const prompt = ['free', ...Object.keys(variables)].map((name) => `{{${name}}}`).join(' ');
  const input = { ...base, name: 'answer', ...inputOf({ prompt, variables }) };
  const sent = JSON.parse(/\{.*\}/s.exec(curlSnippet(input))?.[0] ?? '').variables;
  expect(Object.keys(sent)).toEqual(['free', ...Object.keys(variables)]);
  expect(invalidVariables(variables, sent)).toEqual([]);
  expect(sent).toMatchObject({ free: '…', tone: 'kind', count: 3, options: { deep: [null, false, 'true'] } });
  const [, literal] = /variables: (\{.*\}),\n\}\);/s.exec(typescriptSnippet(input)) ?? [];
  expect(runInNewContext(`JSON.stringify(${literal})`)).toBe(JSON.stringify(sent));
  const python = pythonSnippet(input);
  expect(python).toContain('        "options": {"deep": [None, False, "true"]},\n');
  expect(python).toContain('        "brief": True,\n');
});

test('each snippet asks for the version or the label that was chosen, and reads the API key from the environment', () => {
  const fixed = { ...base, name: 'greeting', choice: { kind: 'version', version: '1.2.0' } } as const;
  const moving = { ...base, name: 'greeting', choice: { kind: 'label', label: 'production' } } as const;
  for (const snippet of [curlSnippet, pythonSnippet, typescriptSnippet]) {
    expect(snippet(fixed)).toContain('1.2.0');
    expect(snippet(moving)).toContain('production');
    expect(snippet({ ...base, name: 'greeting' })).not.toMatch(/version|label/);
    expect(snippet(fixed)).toContain('CUEVAULT_API_KEY');
  }
});

test('the code for a chat compiles it, sends its lists and uses the adapter of the chosen library', () => {
  const chat = { placeholders: ['history'], library: 'anthropic', hasModel: true, hasLimit: false } as const;
  const input = { ...base, name: 'answer', chat };
  expect(typescriptSnippet(input)).toContain('"history": []');
  expect(typescriptSnippet(input)).toContain('toAnthropic(prompt, { max_tokens: 1024 })');
  expect(pythonSnippet(input)).toContain(
    'Anthropic().messages.create(**to_anthropic(prompt, max_tokens=1024))',
  );
  const sdk = { ...input, chat: { ...chat, library: 'ai-sdk' } } as const;
  expect(typescriptSnippet(sdk)).toContain('...toAISDK(prompt)');
  expect(pythonSnippet(sdk)).toContain('print(prompt.compiled_messages)');
  const openai = { ...input, chat: { ...chat, library: 'openai', hasModel: false } } as const;
  expect(pythonSnippet(openai)).toContain('to_openai(prompt, model="your-model")');
  expect(curlSnippet(openai)).toContain('"shouldCompile": true');
});
