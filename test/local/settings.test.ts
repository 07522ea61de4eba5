import path from 'node:path';
import { originAt } from '../../local/loopback.ts';
import { readSettings, wantsHelp } from '../../local/settings.ts';

test('a variable that is empty counts as not set, and 0 for the samples starts without them', () => {
  const environment = { PORT: '', CUEVAULT_DATA: '', CUEVAULT_SAMPLE: '' };
  expect(readSettings(environment)).toEqual(readSettings({}));
  expect(readSettings({})).toEqual({
    dataFolder: path.resolve('.cuevault'),
    port: 3000,
    sample: true,
    allowedHosts: [],
  });
  expect(readSettings({ CUEVAULT_SAMPLE: '0' })).toMatchObject({ sample: false });
});

const WEBHOOK = 'http://localhost:8080/changes';

test.each<[string, readonly string[], RegExp]>([
  ['CUEVAULT_PUBLISH_RATE', ['0', '-1', 'many'], /^CUEVAULT_PUBLISH_RATE must be a number/],
  ['CUEVAULT_WEBHOOK', ['localhost:8080', 'ftp://host/', 'x'], /^CUEVAULT_WEBHOOK must be an http/],
  [
    'CUEVAULT_MODEL_URL',
    ['http://example.com/v1', 'http://localhost.example.com/v1', 'x'],
    /^CUEVAULT_MODEL_URL must be an https/,
  ],
  // The error does not repeat a password.
  [
    'CUEVAULT_MODEL_URL',
    [
      'https://me:p4ssw0rd@host/v1',
      'https://host/v1?key=p4ssw0rd',
      'https://host/v1?',
      'https://host/#p4ssw0rd',
    ],
    /^CUEVAULT_MODEL_URL must not contain(?!.*p4ssw0rd)/,
  ],
  [
    'CUEVAULT_WEBHOOK',
    ['http://me:p4ssw0rd@localhost:8080/'],
    /^CUEVAULT_WEBHOOK must not contain(?!.*p4ssw0rd)/,
  ],
  ['PORT', ['web', '-1', '65536', '3000.5'], /^PORT must be a whole number/],
])('%s is rejected with other values: %j', (name, values, sentence) => {
  for (const value of values) expect(() => readSettings({ [name]: value })).toThrow(sentence);
  expect(readSettings({ CUEVAULT_PUBLISH_RATE: '0.5', CUEVAULT_WEBHOOK: WEBHOOK })).toMatchObject({
    publishRate: 0.5,
    webhook: WEBHOOK,
  });
});

test('the key of a model is one word of ASCII, which the error does not repeat', () => {
  const read = (CUEVAULT_MODEL_KEY: string) =>
    readSettings({ CUEVAULT_MODEL_URL: 'https://host/v1', CUEVAULT_MODEL_KEY }).model;
  expect([read(''), read('sk-1_~')]).toEqual([
    { url: 'https://host/v1' },
    { url: 'https://host/v1', key: 'sk-1_~' },
  ]);
  for (const wrong of ['p4ssw0rd\n', 'p4ssw0rd\u2028', 'Bearer p4ssw0rd', 'p4ssw0rd\u00e9'])
    expect(() => read(wrong)).toThrow(/^CUEVAULT_MODEL_KEY must be(?!.*p4ssw0rd)/);
});

test('hosts and the address to listen on are checked', () => {
  const read = (CUEVAULT_ALLOWED_HOSTS: string) => readSettings({ CUEVAULT_ALLOWED_HOSTS }).allowedHosts;
  expect(read(' Localhost:8080, host.docker.internal:8080,')).toEqual([
    'localhost:8080',
    'host.docker.internal:8080',
  ]);
  expect(read('')).toEqual([]);
  for (const wrong of ['http://localhost', '*', 'a b', 'a/b'])
    expect(() => read(wrong)).toThrow(/^CUEVAULT_ALLOWED/);
  expect(readSettings({ CUEVAULT_HOST: '0.0.0.0' }).host).toBe('0.0.0.0');
  expect(() => readSettings({ CUEVAULT_HOST: 'example.com' })).toThrow(
    /^CUEVAULT_HOST must be an IP address/,
  );
});

test('--help shows the help, and any other argument is rejected', () => {
  expect([[], ['--help'], ['-h']].map(wantsHelp)).toEqual([false, true, true]);
  expect(() => wantsHelp(['--help', 'serve'])).toThrow('"serve"');
});

// Browsers omit the default port of the scheme, and tokens are issued for the origin that they send.
test('the origin at port 80 is the one that browsers name', () => {
  expect(originAt(80)).toBe('http://localhost');
  expect(originAt(3000)).toBe('http://localhost:3000');
});
