import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { openInstance, type TestInstance } from '../support/instance.ts';
import { isLong } from '../support/sampled.ts';

const OPENAPI = path.resolve('docs/openapi.json');
const folder = mkdtempSync(path.join(tmpdir(), 'cuevault-tools-'));
let instance: TestInstance;
beforeAll(async () => {
  instance = await openInstance({ sample: true });
});
afterAll(async () => {
  await instance.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs commands of a shell in a folder of their own, or fails with what they have printed. */
const run = async (
  name: string,
  script: string,
  files: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const cwd = path.join(folder, name);
  mkdirSync(cwd);
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(cwd, file), text);
  const { url, apiKey } = instance.firstRun;
  const ours = { URL: url, KEY: apiKey, CUEVAULT_URL: url, CUEVAULT_API_KEY: apiKey };
  const env = { ...process.env, ...ours, GOBIN: path.join(cwd, 'bin'), OPENAPI };
  return (await promisify(execFile)('sh', ['-euc', script], { cwd, env, maxBuffer: 2 ** 26 })).stdout;
};

const NPM = 'npm install --prefer-offline --no-audit --no-fund --loglevel=error';

const ANSWERS = /1\.1\.0\n(?:.*\n)*.*OPENAI_API_KEY/;

// They are installed from the registries, which takes minutes.
(isLong ? describe : describe.skip)('tools of others', () => {
  test('spectral finds nothing, warnings included', async () => {
    const script = `${NPM} @stoplight/spectral-cli@6.16.3; npx spectral lint --fail-severity=hint "$OPENAPI"`;
    await run('spectral', script, { 'package.json': '{}', '.spectral.yaml': 'extends: ["spectral:oas"]' });
  });

  test('openapi-python-client omits nothing, and its client makes both calls', async () => {
    const program = `
import os
from cuevault_client import AuthenticatedClient
from cuevault_client.api.prompts import prompt_get_compiled
from cuevault_client.api.secrets import vault_get_secrets
from cuevault_client.models import PromptGetCompiledBody, VaultGetSecretsBody
client = AuthenticatedClient(base_url=os.environ["URL"], token=os.environ["KEY"])
print(prompt_get_compiled.sync(client=client, body=PromptGetCompiledBody(name="greeting")).res.version)
print(vault_get_secrets.sync(client=client, body=VaultGetSecretsBody()).to_dict())
`;
    const script = `
python3 -m venv v; v/bin/pip install -q openapi-python-client==0.29.1 ruff; PATH="$PWD/v/bin:$PATH"
openapi-python-client generate --path "$OPENAPI" --output-path client --fail-on-warning >&2
PYTHONPATH=client python program.py`;
    expect(await run('python', script, { 'program.py': program })).toMatch(ANSWERS);
  });

  test("oapi-codegen's client compiles, and makes both calls", async () => {
    const program = `package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"trial/vault"
)

func main() {
	key := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
		return nil
	}
	client, _ := vault.NewClientWithResponses(os.Getenv("URL"), vault.WithRequestEditorFn(key))
	name := "greeting"
	prompt, err := client.PromptGetCompiledWithResponse(context.Background(), vault.PromptGetCompiledJSONRequestBody{Name: &name})
	if err != nil {
		panic(err)
	}
	fmt.Println(prompt.JSON200.Res.Version)
	secrets, err := client.VaultGetSecretsWithResponse(context.Background(), vault.VaultGetSecretsJSONRequestBody{})
	if err != nil {
		panic(err)
	}
	fmt.Println(secrets.JSON200.Res)
}
`;
    const script = `
go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 2>&1; mkdir vault
bin/oapi-codegen -generate types,client -package vault "$OPENAPI" > vault/vault.go
go mod tidy 2>&1; go run .`;
    expect(await run('go', script, { 'go.mod': 'module trial\n\ngo 1.24\n', 'main.go': program })).toMatch(
      ANSWERS,
    );
  });

  test.each([
    [
      'go',
      (code: string) => `package main
import ("context"; "encoding/json"; "fmt"; "net/http"; "os"; "strings")
func fetch(ctx context.Context) (string, error) {
${code}}
func main() { fmt.Println(fetch(context.Background())) }`,
      'GO111MODULE=off go run program.go',
      /^Hello Ada! <nil>$/m,
    ],
    [
      'java',
      (code: string) => `import java.net.URI; import java.net.http.*; import java.time.Duration;
public class Program { public static void main(String[] args) throws Exception {
${code}System.out.println(reply.body()); } }`,
      'java program.java',
      /"err":null.*OPENAI_API_KEY/,
    ],
  ] as const)(
    'the code in docs/how-to/go-and-java.md runs as printed (%s)',
    async (language, programOf, command, printed) => {
      const guide = readFileSync('docs/how-to/go-and-java.md', 'utf8');
      const [, code = ''] = new RegExp(`^\`\`\`${language} not-run\n([^]*?)^\`\`\`$`, 'm').exec(guide) ?? [];
      expect(await run(`guide-${language}`, command, { [`program.${language}`]: programOf(code) })).toMatch(
        printed,
      );
    },
  );

  test("LiteLLM gets a prompt by Langfuse's client 4, with a label and as a version", async () => {
    const program = `
import json, threading
from http.server import BaseHTTPRequestHandler, HTTPServer
import litellm

class Model(BaseHTTPRequestHandler):
    """Answers with the messages that it was sent."""
    def do_POST(self):
        sent = json.loads(self.rfile.read(int(self.headers["content-length"])))
        message = {"role": "assistant", "content": json.dumps(sent["messages"])}
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        self.wfile.write(json.dumps({"id": "1", "object": "chat.completion", "choices": [choice]}).encode())

server = HTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()
for version in ({"prompt_label": "production"}, {"prompt_version": 1001000}):
    reply = litellm.completion(
        model="langfuse/openai/any", api_base=f"http://127.0.0.1:{server.server_port}", api_key="any", prompt_id="greeting",
        prompt_variables={"user": "Ada", "place": "London"}, messages=[{"role": "user", "content": "Hi"}], **version)
    print(reply.choices[0].message.content)
`;
    const script = `
python3 -m venv v; v/bin/pip install -q 'litellm==1.110.*' 'langfuse==4.*'
export LANGFUSE_HOST="$URL" LANGFUSE_PUBLIC_KEY=any LANGFUSE_SECRET_KEY="$KEY" LITELLM_LOCAL_MODEL_COST_MAP=True
v/bin/python program.py`;
    const texts = ['Hello Ada!', 'Hello Ada, welcome to London.'].map((text) => ({
      role: 'system',
      content: text,
    }));
    const printed = await run('litellm', script, { 'program.py': program });
    expect(
      printed
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(texts.map((text) => [text, { role: 'user', content: 'Hi' }]));
  });

  test("openapi-typescript's types compile under strict rules, and describe both calls", async () => {
    const program = `import type { paths } from './api.ts';
type Body<P extends keyof paths> = paths[P] extends { post: { requestBody: { content: { 'application/json': infer B } } } } ? B : never;
type Reply<P extends keyof paths> = paths[P] extends { post: { responses: { 200: { content: { 'application/json': infer R } } } } } ? R : never;
const call = async <P extends keyof paths>(route: P, body: Body<P>): Promise<Reply<P>> =>
  (await fetch(process.env.URL + route, { method: 'POST', headers: { authorization: 'Bearer ' + process.env.KEY }, body: JSON.stringify(body) })).json() as Promise<Reply<P>>;
console.log((await call('/api/prompt/get-compiled', { name: 'greeting' })).res.version);
console.log((await call('/api/vault/get-secrets', {})).res);
`;
    const options =
      '--noEmit --strict --module nodenext --target es2024 --allowImportingTsExtensions --types node';
    const script = `
${NPM} openapi-typescript@7.13.0 typescript@5.9.3 @types/node@24 >&2; npx openapi-typescript "$OPENAPI" -o api.ts >&2
npx tsc ${options} program.ts >&2; node program.ts`;
    const files = { 'package.json': '{"type": "module"}', 'program.ts': program };
    expect(await run('typescript', script, files)).toMatch(ANSWERS);
  });

  test('zizmor finds nothing above low in the workflows and the Action', async () => {
    const targets = ['.github/workflows', 'action.yml'].map((each) => path.resolve(each)).join(' ');
    await run(
      'zizmor',
      `python3 -m venv v; v/bin/pip install -q zizmor==1.32.0; v/bin/zizmor --offline --min-severity medium ${targets}`,
    );
  });
});
