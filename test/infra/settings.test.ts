import { DEFAULT_STACK_SETTINGS, readSettings } from '../../lib/settings.ts';

const read = (context: Readonly<Record<string, unknown>>) => readSettings((name) => context[name]);

test('without context the defaults apply', () => {
  expect(read({})).toEqual(DEFAULT_STACK_SETTINGS);
});

test('numbers may be strings, as from the command line', () => {
  expect(
    read({ stage: 'dev', shards: '8', accessDays: 30, logDays: '7', alarmEmail: 'a@b.example' }),
  ).toEqual({
    ...DEFAULT_STACK_SETTINGS,
    stage: 'dev',
    shards: 8,
    accessDays: 30,
    logDays: 7,
    alarmEmail: 'a@b.example',
  });
});

const CERTIFICATE = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d';

test('the domain of the admin site requires its certificate', () => {
  expect(read({ adminDomain: 'cues.example.com', adminCertificateArn: CERTIFICATE })).toEqual({
    ...DEFAULT_STACK_SETTINGS,
    adminDomain: { name: 'cues.example.com', certificateArn: CERTIFICATE },
  });
  expect(() => read({ adminDomain: 'cues.example.com' })).toThrow(
    'The setting "adminCertificateArn" must be',
  );
  expect(() => read({ adminCertificateArn: CERTIFICATE })).toThrow('The setting "adminDomain" must be');
});

test.each([
  ['shards', '0'],
  ['shards', '2.5'],
  ['accessDays', 'ninety'],
  ['auditDays', ''],
  ['throttleRate', -1],
  ['logDays', '42'],
  ['stage', 'Prod'],
  ['stage', ''],
  ['stage', 7],
  ['passkeys', 'maybe'],
  ['accessLog', 'yes'],
  ['routeMetrics', 1],
  ['sessionHours', '0'],
  ['gradualDeployment', 'slowly'],
  ['alarmEmail', 'nobody'],
  ['operatorEmail', 'nobody'],
  ['adminDomain', 'https://cues.example.com'],
  ['adminCertificateArn', CERTIFICATE.replace('us-east-1', 'eu-central-1')],
  ['adminWebAclArn', 'arn:aws:wafv2:eu-central-1:123456789012:regional/webacl/mine/0a1b'],
])('%s = %j is rejected by name', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(`The setting "${name}" must be`);
});
