import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { assertRegion, mergeSettings, readSettings } from '../../lib/settings.ts';
import { deployedSettings, nextSettings, settingsReport } from '../../scripts/aws/settings.ts';
import { mockClient } from '../support/aws/mock-client.ts';
import { newFolder } from '../support/new-folder.ts';

process.env.AWS_REGION = 'eu-central-1';
const cloudFormation = mockClient(CloudFormationClient);
const FORMER = `${'A'.repeat(122)}==`;
const DEPLOYED = {
  signingKeys: '1,2',
  signingKeyNumber: '2',
  shards: '8',
  alarmEmail: 'ada@example.com',
  apiDomain: 'api.example.com',
  apiCertificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/a',
  formerPublicKeys: FORMER,
  webhookUrl: 'https://hooks.example.com',
  webhookSecret: 'webhook',
  originSecrets: '1,2',
};

const report = (args: string, accepted: string[] = [], deployed: Record<string, string> = DEPLOYED) => {
  const given = args === '' ? [] : args.split(' ').flatMap((each) => ['-c', each]);
  return settingsReport({ exists: true, deployed, next: nextSettings(given, deployed), accepted });
};

test('a deployment without settings keeps those that the stack carries', () => {
  expect(nextSettings(['-c', 'stage=prod'], DEPLOYED)).toEqual({ ...DEPLOYED, stage: 'prod' });
  expect(report('throttleRate=50')).toMatch(/shards: 8\n(.*\n)* {2}throttleRate: the default -> 50\n/);
});

test.each([
  ['shards=4', 'shards'],
  ['shards=', 'shards'],
  ['signingKeys=2', 'signingKeys'],
  ['signingKeyNumber=1', 'signingKeyNumber'],
  ['formerPublicKeys=', 'formerPublicKeys'],
  ['accessDays=30', 'accessDays'],
  ['auditDays=100', 'auditDays'],
  ['readDays=10', 'readDays'],
  ['apiDomain=b.example.com', 'apiDomain'],
  ['apiDomain= apiCertificateArn=', 'apiDomain'],
  ['originSecrets=2', 'originSecrets'],
  ['alarmEmail=', 'alarmEmail'],
  ['webhookUrl= webhookSecret=', 'webhookUrl'],
])('%s is refused unless the removal of %s is accepted', (args, name) => {
  expect(() => report(args)).toThrow(
    new RegExp(`^"${name}" would be removed or lowered: .*--accept-removal ${name}\\.`),
  );
  expect(report(args, [name])).toContain(`  ${args.split('=')[0]}: `);
});

test('a web ACL and a domain of the admin site are kept, too', () => {
  const arn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/a/b';
  expect(() => report('adminWebAclArn= originSecrets=1', [], { adminWebAclArn: arn })).toThrow(
    '"adminWebAclArn"',
  );
});

test('another provider of the company, or none, needs acceptance; another secret of its client does not', () => {
  const arn = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:sign-in-AbCdEf';
  const deployed = {
    signInIssuer: 'https://login.example.com',
    signInClientId: 'a',
    signInSecretArn: arn,
  };
  for (const args of [
    'signInIssuer=https://other.example',
    'signInClientId=b',
    'signInIssuer= signInClientId= signInSecretArn=',
  ]) {
    expect(() => report(args, [], deployed)).toThrow('--accept-removal signInIssuer');
    expect(report(args, ['signInIssuer'], deployed)).toContain('Settings:');
  }
  expect(report(`signInSecretArn=${arn.replace('AbCdEf', 'GhIjKl')}`, [], deployed)).toContain('->');
});

test('what adds or raises is not refused, and a first deployment may have any settings', () => {
  expect(report('shards=16 signingKeys=1,2,3 alarmEmail=bob@example.com')).toContain('8 -> 16');
  expect(settingsReport({ exists: false, deployed: {}, next: { shards: '2' }, accepted: [] })).toContain(
    'shards',
  );
});

test('a setting of a later release is named, and stays with the stack', () => {
  const deployed = { ...DEPLOYED, fromLater: 'x' };
  expect(report('', [], deployed)).toContain('fromLater: this release does not know it');
  expect(mergeSettings(() => undefined, deployed)).toEqual({ ...deployed, stage: 'prod' });
});

test('after auditDays is lowered, objects of the sealed log expire as late as before', () => {
  const first = mergeSettings((name) => ({ auditDays: '100' })[name], DEPLOYED);
  expect(first).toMatchObject({ auditDays: '100', lockedDays: '400' });
  expect(mergeSettings((name) => ({ auditDays: '50' })[name], first)).toMatchObject({ lockedDays: '400' });
  const unchanged = mergeSettings(() => undefined, {});
  expect(mergeSettings((name) => ({ auditDays: '50' })[name], unchanged)).toMatchObject({
    lockedDays: '400',
  });
  for (const [auditDays, deployed] of [
    ['500', DEPLOYED],
    ['50', {}],
  ] as const)
    expect(mergeSettings((name) => ({ auditDays })[name], deployed)).not.toHaveProperty('lockedDays');
});

test('the prefix of the sign-in domain of a running deployment cannot change', () => {
  expect(() => report('signInPrefix=other')).toThrow('passkeys are bound to the domain');
});

test('the assigned address of the API is turned off only after a deployment with the domain', () => {
  expect(report('apiEndpoint=false')).toContain('apiEndpoint: the default -> false');
  const first = [
    'apiEndpoint=false',
    'apiDomain=a.example.com',
    `apiCertificateArn=${DEPLOYED.apiCertificateArn}`,
  ];
  expect(() => report(first.join(' '), [], {})).toThrow('Deploy with the domain first');
  expect(() => report('apiEndpoint=false', [], {})).toThrow('"apiEndpoint" must be true without "apiDomain"');
});

test('the certificate of the API is one of the region of the stack', () => {
  const settings = readSettings((name) => DEPLOYED[name as keyof typeof DEPLOYED]);
  expect(() => assertRegion(settings, 'us-east-1')).toThrow('in the region of the stack, us-east-1');
  expect(() => assertRegion(settings, 'eu-central-1')).not.toThrow();
});

test('a setting in a file that only some commands read is refused', () => {
  const home = newFolder();
  writeFileSync(path.join(home, '.cdk.json'), '{"context": {"shards": 16}}');
  const { status, stderr } = spawnSync(process.execPath, ['scripts/aws/doctor.ts'], {
    encoding: 'utf8',
    env: { ...process.env, HOME: home, USERPROFILE: home },
  });
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/"shards" is in .*\.cdk\.json, where only some/),
  ]);
});

test('a stack carries its settings in the metadata of its template, except "adopt"', async () => {
  const folder = newFolder();
  const run = spawnSync(process.execPath, ['bin/cuevault.ts'], {
    encoding: 'utf8',
    env: {
      ...process.env,
      CDK_OUTDIR: folder,
      CDK_CONTEXT_JSON: JSON.stringify({ shards: '8', adopt: 'true', 'aws:cdk:disable-asset-staging': true }),
      CDK_VALIDATION: 'false',
      CUEVAULT_DEPLOYED_SETTINGS: '{"shards":"4","logDays":"30","fromLater":"x"}',
    },
  });
  expect(run.stderr).toBe('');
  const TemplateBody = readFileSync(path.join(folder, 'CuevaultStack.template.json'), 'utf8');
  cloudFormation.on(GetTemplateCommand).resolves({ TemplateBody });
  const stack = { name: 'cuevault-prod', id: '', status: '', output: String };
  const carried = { stage: 'prod', shards: '8', logDays: '30', fromLater: 'x' };
  expect([await deployedSettings(stack), await deployedSettings(undefined)]).toEqual([carried, {}]);
});
