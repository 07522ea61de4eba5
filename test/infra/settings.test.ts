import { spawnSync } from 'node:child_process';
import cdk from '../../cdk.json' with { type: 'json' };
import { assertKnownSettings, assertRegion, readSettings } from '../../lib/settings.ts';
import { DEFAULT_STACK_SETTINGS } from './stack.ts';

const read = (context: Readonly<Record<string, unknown>>) =>
  readSettings((name) => ({ stage: 'prod', ...context })[name]);

test('logs are kept as long as access entries, or for the next longer period that CloudWatch offers', () => {
  expect([1, 90, 91, 3_650].map((accessDays) => read({ accessDays }).logDays)).toEqual([1, 90, 120, 3_653]);
});

test('without context the defaults apply', () => {
  expect(read({})).toEqual(DEFAULT_STACK_SETTINGS);
});

test('numbers may be strings, as from the command line', () => {
  expect(read({ stage: 'dev', throttleRate: '8', accessDays: 30, alarmEmail: 'a@b.example' })).toEqual({
    ...DEFAULT_STACK_SETTINGS,
    stage: 'dev',
    production: false,
    throttleRate: 8,
    accessDays: 30,
    logDays: 30,
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
  ['throttleRate', '2.5'],
  ['accessDays', 'ninety'],
  ['auditDays', ''],
  ['throttleRate', -1],
  ['production', 'perhaps'],
  ['stage', 'Prod'],
  ['stage', ''],
  ['stage', 7],
  ['passkeys', 'maybe'],
  ['accessLog', 'yes'],
  ['sessionHours', '0'],
  ['gradualDeployment', 'slowly'],
  ['signingKeys', '1;2'],
  ['originSecrets', '0'],
  ['alarmEmail', 'nobody'],
  ['operatorEmail', 'nobody'],
  ['models', 'Amazon Nova'],
  ['models', 'eu.amazon.nova-lite-v1:0=europe'],
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
  const optional = ['alarmEmail', 'adminDomain', 'adminCertificateArn', 'webhookUrl'];
  const own = [
    'aws:cdk:enable-path-metadata',
    'aws-cdk:enableDiffNoFail',
    'cdk-migrate',
    'acknowledged-issue-numbers',
    'availability-zones:account=123456789012:region=eu-central-1',
    'hosted-zone:account=123456789012:domainName=example.com',
    'ssm:account=123456789012:parameterName=a',
  ];
  const names = [...Object.keys(cdk.context), 'stage', 'auditDays', 'adopt', ...optional, ...own];
  expect(() => assertKnownSettings(names)).not.toThrow();
});

test.each([
  ['auditDays', 'The setting "auditDays" must be a whole number from 1 to 3650, not "0".'],
  ['auditDay', 'There is no setting "auditDay". Did you mean "auditDays"?'],
])('npm run synth with a wrong %s ends with one sentence', (name, sentence) => {
  const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify({ ...cdk.context, [name]: '0' }) };
  const { status, stderr } = spawnSync(process.execPath, ['bin/cuevault.ts'], { env, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 1, stderr: `${sentence}\n` });
});

test('models are ids of the region and profiles with their destinations; others are refused with the reason', () => {
  expect(read({ models: ['amazon.nova-lite-v1:0', 'eu.x.y=eu-central-1+eu-west-1'] }).models).toEqual([
    { id: 'amazon.nova-lite-v1:0' },
    { id: 'eu.x.y', regions: ['eu-central-1', 'eu-west-1'] },
  ]);
  const application = 'arn:aws:bedrock:eu-central-1:123456789012:application-inference-profile/x';
  for (const [models, reason] of [
    ['global.x.y=eu-central-1', 'which send texts to any region'],
    [application, 'application profiles do not say where they send texts'],
    ['eu.x.y', 'name the destinations of the profile'],
  ] as const)
    expect(() => read({ models })).toThrow(reason);
});

test.each(['cn-north-1', 'us-gov-west-1', 'us-iso-east-1', 'eusc-de-east-1'])(
  'a deployment to %s, outside the commercial partition, is refused',
  (region) => {
    expect(() => assertRegion(DEFAULT_STACK_SETTINGS, region)).toThrow(
      `Cuevault cannot be deployed to "${region}"`,
    );
  },
);

test.each(['eu-central-1', 'us-east-1', 'region-of-next-year-1', undefined])('%s is accepted', (region) => {
  expect(() => assertRegion(DEFAULT_STACK_SETTINGS, region)).not.toThrow();
});
