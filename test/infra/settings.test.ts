import { spawnSync } from 'node:child_process';
import cdk from '../../cdk.json' with { type: 'json' };
import { assertKnownSettings, DEFAULT_STACK_SETTINGS, readSettings } from '../../lib/settings.ts';

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
  ['compiledBytes', 307_199],
  ['requestMetadataBytes', '8193'],
  ['accessDays', 'ninety'],
  ['auditDays', ''],
  ['readDays', 401],
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
  ['provisionedConcurrency', '0'],
  ['signingKeys', '1;2'],
  ['signingKeys', '2,3'],
  ['originSecrets', '0'],
  ['alarmEmail', 'nobody'],
  ['noticeEmail', 'nobody'],
  ['noticeAlarms', 'some'],
  ['dashboard', 'big'],
  ['operatorEmail', 'nobody'],
  ['signInIssuer', 'http://login.example.com'],
  ['signInSecretArn', 'sign-in'],
  ['adminDomain', 'https://cues.example.com'],
  ['adminCertificateArn', CERTIFICATE.replace('us-east-1', 'eu-central-1')],
  ['adminWebAclArn', 'arn:aws:wafv2:eu-central-1:123456789012:regional/webacl/mine/0a1b'],
])('%s = %j is rejected by name', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(`The setting "${name}" must be`);
});

test.each([
  ['alarmMail', 'There is no setting "alarmMail". Did you mean "alarmEmail"?'],
  ['alarm-email', 'There is no setting "alarm-email". Did you mean "alarmEmail"?'],
  [
    'nonexistentSetting',
    'There is no setting "nonexistentSetting". It comes from -c, cdk.json or ~/.cdk.json; lib/settings.ts has all settings.',
  ],
])('%s is rejected, with the nearest name', (name, sentence) => {
  expect(() => assertKnownSettings(['stage', name])).toThrow(new Error(sentence));
});

test("settings and CDK's own context are accepted", () => {
  const optional = ['formerPublicKeys', 'alarmEmail', 'adminDomain', 'adminCertificateArn', 'webhookUrl'];
  const own = [
    'aws:cdk:enable-path-metadata',
    'aws-cdk:enableDiffNoFail',
    'cdk-migrate',
    'acknowledged-issue-numbers',
    'availability-zones:account=123456789012:region=eu-central-1',
    'hosted-zone:account=123456789012:domainName=example.com',
    'ssm:account=123456789012:parameterName=a',
  ];
  const given = JSON.parse(JSON.stringify(DEFAULT_STACK_SETTINGS)) as object;
  const names = [...Object.keys(cdk.context), ...Object.keys(given), ...optional, ...own];
  expect(() => assertKnownSettings(names)).not.toThrow();
});

test.each([
  ['shards', 'The setting "shards" must be a whole number from 1 to 100, not "0".'],
  ['shard', 'There is no setting "shard". Did you mean "shards"?'],
])('npm run synth with a wrong %s ends with one sentence', (name, sentence) => {
  const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify({ ...cdk.context, [name]: '0' }) };
  const { status, stderr } = spawnSync(process.execPath, ['bin/cuevault.ts'], { env, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 1, stderr: `${sentence}\n` });
});
