import fc from 'fast-check';
import { promptGetCompiled } from '../../../contract/endpoints/prompts/prompt-get-compiled.ts';
import { vaultGetSecrets } from '../../../contract/endpoints/secrets/vault-get-secrets.ts';
import { isCuevaultError } from '../../../lambdas/core/errors.ts';
import type { HttpEvent } from '../../../lambdas/http/call.ts';
import { parseBody } from '../../../lambdas/http/input.ts';

const event = (body: string | undefined, isBase64Encoded = false) =>
  ({ body, isBase64Encoded }) as unknown as HttpEvent;

const prompt = (body: string) => parseBody(promptGetCompiled, event(body));
const secrets = (body: string) => parseBody(vaultGetSecrets, event(body));
const refusal = (parse: () => unknown): unknown => {
  try {
    parse();
    return 'accepted';
  } catch (error) {
    return isCuevaultError(error) ? [error.code, error.message] : error;
  }
};

const shown = (body: string) => body.slice(0, 60);

test.each(
  (
    [
      ['', 'invalid_json', /must be JSON in UTF-8; send \{\}/],
      ['[]', 'invalid_request', /must be a JSON object/],
      ['{"name": 7}', 'invalid_request', /^"name" must be a string\.$/],
      ['{"name": ""}', 'invalid_request', /^"name" must not be empty\.$/],
      [`{"name": "${'é'.repeat(201)}"}`, 'invalid_request', /^"name" must be at most 400 bytes/],
      ['{}', 'invalid_request', /exactly one of "name" and "promptId"/],
      ['{"name": "a", "promptId": "b"}', 'invalid_request', /exactly one/],
      ['{"promptId": "a", "id": "b"}', 'invalid_request', /not two different/],
      ['{"name": "a", "version": "1.0.0", "label": "x"}', 'invalid_request', /at most one/],
      ['{"name": "a", "version": "v1.0.0"}', 'invalid_request', /^"version" must be of the form/],
      ['{"name": "a", "version": 1}', 'invalid_request', /^"version" must be a string/],
      ['{"name": "a", "shouldCompile": "yes"}', 'invalid_request', /^"shouldCompile" must be true or false/],
      ['{"name": "a", "variables": []}', 'invalid_request', /^"variables" must be an object/],
      ['{"name": "a", "variables": {"n": 1e999}}', 'invalid_request', /64-bit float/],
      ['{"name": "a", "variables": {"n": "\\ud800"}}', 'invalid_request', /well-formed Unicode/],
      ['{"name": "a", "variables": {"\\udc00": 1}}', 'invalid_request', /well-formed Unicode/],
      [
        `{"name": "a", "metaProperties": {"x": "${'y'.repeat(2041)}"}}`,
        'invalid_request',
        /^"metaProperties" must be at most 2048 bytes as JSON/,
      ],
      [`{"name": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'invalid_request', /nested deeper than 64/],
    ] as const
  ).map(([body, code, sentence]) => ({ title: shown(body), body, code, sentence })),
)('rejects `$title` with a message that says what to fix', ({ body, code, sentence }) => {
  expect(refusal(() => prompt(body))).toEqual([code, expect.stringMatching(sentence)]);
});

test.each(
  (
    [
      ['{"key": ""}', /"key" must not be empty/],
      ['{"key": "a=b"}', /"key" must not contain "="/],
      ['{"key": "a\\u0000"}', /"key" must not contain "="/],
      ['{"tag": ["llm"]}', /^"tag" is not a field\. Did you mean "tags"\?/],
      ['{"key": "A", "label": "x"}', /^"label" is not a field/],
      ['{"__proto__": {"key": "A"}}', /^"__proto__" is not a field/],
      [`{"${'x'.repeat(20_000)}": 1}`, /^"x{64}" is not a field/],
      ['{"key": null}', /^"key" must be a string\.$/],
      ['{"tags": null}', /^"tags" must be an array of strings\.$/],
      ['{"tags": "x"}', /"tags" must be an array of strings/],
      ['{"tags": [1]}', /"tags\[0\]" must be a string/],
      [`{"tags": [${Array(51).fill('"t"')}]}`, /at most 50 entries/],
    ] as const
  ).map(([body, sentence]) => ({ title: shown(body), body, sentence })),
)('refuses the filter `$title`', ({ body, sentence }) => {
  expect(refusal(() => secrets(body))).toEqual(['invalid_request', expect.stringMatching(sentence)]);
});

test('a body in Base64 is decoded, and one that is not UTF-8 is refused', () => {
  const base64 = (bytes: Uint8Array) => event(Buffer.from(bytes).toString('base64'), true);
  expect(parseBody(vaultGetSecrets, base64(Buffer.from('{"key":"é"}')))).toEqual({ key: 'é' });
  expect(refusal(() => parseBody(vaultGetSecrets, base64(Uint8Array.of(0x7b, 0xff, 0x7d))))).toEqual([
    'invalid_json',
    expect.any(String),
  ]);
});

test('any body yields its value or one of the declared errors', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string(), fc.json({ maxDepth: 80 })), (body) => {
      const outcome = refusal(() => prompt(body));
      expect(outcome === 'accepted' || Array.isArray(outcome)).toBe(true);
    }),
  );
});
