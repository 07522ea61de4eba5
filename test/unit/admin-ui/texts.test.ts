import { spawnSync } from 'node:child_process';
import { curlLine } from '../../../admin-ui/src/features/api-keys/key-texts.ts';
import { ALPHABETS, randomText } from '../../../admin-ui/src/features/secrets/values/random-text.ts';

// The probability that a fair generator fails this is below 1e-12: ten standard deviations.
const isFair = (count: number, trials: number, chance: number): boolean =>
  Math.abs(count - trials * chance) < 10 * Math.sqrt(trials * chance * (1 - chance));

test.each(Object.entries(ALPHABETS))(
  'all characters of a generated value are equally likely: %s',
  (_, alphabet) => {
    const trials = 200_000;
    const counts = new Map<string, number>();
    const texts = Array.from({ length: trials / 1000 }, () => randomText(1000, alphabet));
    for (const char of texts.join('')) counts.set(char, (counts.get(char) ?? 0) + 1);
    expect([...counts.keys()].sort()).toEqual([...alphabet].sort());
    expect([...counts].filter(([, count]) => !isFair(count, trials, 1 / alphabet.length))).toEqual([]);
  },
);

test('a generated value has the requested length, and differs each time', () => {
  const values = Array.from({ length: 50 }, () => randomText(8, ALPHABETS.Hexadecimal));
  expect(values.every((value) => value.length === 8)).toBe(true);
  expect(new Set(values).size).toBe(50);
});

test('the curl command passes any prompt name unchanged', () => {
  const name = `it's "quoted" $HOME \`ls\` \\ é`;
  const line = curlLine('http://localhost:3000', 'cue_key', ['prompts'], { name, label: 'production' });
  const { stdout } = spawnSync('sh', ['-c', `curl() { for last; do :; done; printf %s "$last"; }\n${line}`]);
  expect(JSON.parse(stdout.toString())).toEqual({ name, label: 'production' });
});

test('the example for a key with only secrets reads secrets; one with both fetches a prompt if there is one', () => {
  const path = (permissions: string[], name: string | null) =>
    /'http:\/\/h(\/[^']+)'/.exec(
      curlLine('http://h', 'k', permissions, name === null ? null : { name }),
    )?.[1];
  expect(path(['secrets'], 'greeting')).toBe('/api/vault/get-secrets');
  expect(path(['prompts', 'secrets'], null)).toBe('/api/vault/get-secrets');
  expect(path(['prompts', 'secrets'], 'greeting')).toBe('/api/prompt/get-compiled');
  expect(path(['prompts'], null)).toBe('/api/prompt/get-compiled');
});
