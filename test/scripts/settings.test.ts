import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { assertRegion, mergeSettings, readSettings } from '../../lib/settings.ts';
import { deployedSettings, nextSettings, settingsReport } from '../../scripts/aws/settings.ts';
import { COMPANY_SETTINGS, tinyBundles, tinySite } from '../infra/stack.ts';
import { mockClient } from '../support/aws/mock-client.ts';
import { newFolder } from '../support/new-folder.ts';
import { runHere } from '../support/processes/process.ts';

process.env.AWS_REGION = 'eu-central-1';
const cloudFormation = mockClient(CloudFormationClient);
const DEPLOYED = {
  stage: 'prod',
  signingKeys: '2,1',
  throttleRate: '8',
  alarmEmail: 'ada@example.com',
  apiDomain: 'api.example.com',
  apiCertificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/a',
  webhookUrl: 'https://hooks.example.com',
  webhookSecret: 'webhook',
  originSecrets: '1,2',
};

const report = (args: string, accepted: string[] = [], deployed: Record<string, string> = DEPLOYED) => {
  const given = args === '' ? [] : args.split(' ').flatMap((each) => ['-c', each]);
  return settingsReport({ exists: true, deployed, next: nextSettings(given, deployed), accepted });
};

test('a deployment without settings keeps those that the stack carries', () => {
  expect(nextSettings(['-c', 'stage=prod'], DEPLOYED)).toEqual(DEPLOYED);
  expect(report('accessDays=91')).toMatch(/accessDays: the default -> 91\n(.*\n)* {2}throttleRate: 8\n/);
});

test.each([
  ['production=false', 'production'],
  ['signingKeys=2', 'signingKeys'],
  ['accessDays=30', 'accessDays'],
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
  expect(() => report('adminWebAclArn= originSecrets=1', [], { stage: 'prod', adminWebAclArn: arn })).toThrow(
    '"adminWebAclArn"',
  );
});

test('another provider of the company, or none, needs acceptance; another secret of its client does not', () => {
  const arn = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:sign-in-AbCdEf';
  const deployed = {
    stage: 'prod',
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
  expect(report('throttleRate=16 signingKeys=1,2,3 alarmEmail=bob@example.com')).toContain('8 -> 16');
  expect(
    settingsReport({ exists: false, deployed: {}, next: { stage: 'dev', auditDays: '2' }, accepted: [] }),
  ).toContain('auditDays');
});

test('a setting that this release does not have is named once, and dropped', () => {
  const deployed = { ...DEPLOYED, dashboard: 'false' };
  expect(report('', [], deployed)).toContain('dashboard: false -> dropped, because this release has no such');
  expect(mergeSettings(() => undefined, deployed)).toEqual(DEPLOYED);
});

test('auditDays is never lowered: objects of the sealed log would be hidden while they are locked', () => {
  expect(report('auditDays=500')).toContain('auditDays: the default -> 500');
  expect(() => report('auditDays=100', ['auditDays'])).toThrow('"auditDays" cannot be lowered');
});

test('the prefix of the sign-in domain of a running deployment cannot change', () => {
  expect(() => report('signInPrefix=other')).toThrow('passkeys are bound to the domain');
});

test.each([DEPLOYED, { stage: 'prod', ...COMPANY_SETTINGS }])(
  'what CloudFormation reads elsewhere is of the region of the stack',
  (given) => {
    const settings = readSettings((name) => given[name as keyof typeof given]);
    expect(() => assertRegion(settings, 'us-east-1')).toThrow('in the region of the stack, us-east-1');
    expect(() => assertRegion(settings, 'eu-central-1')).not.toThrow();
  },
);

test('a setting in a file that only some commands read is refused', async () => {
  const home = newFolder();
  writeFileSync(path.join(home, '.cdk.json'), '{"context": {"auditDays": 500}}');
  expect(await runHere('scripts/aws/doctor.ts', [], { HOME: home, USERPROFILE: home })).toEqual({
    status: 1,
    out: '',
    err: expect.stringMatching(/"auditDays" is in .*\.cdk\.json, where only some/),
  });
});

/** The app of this repository, with bundles that need no build. */
const appBeside = (): string => {
  const root = newFolder();
  for (const name of ['cdk.json', 'lib', 'node_modules', 'package.json'])
    symlinkSync(path.resolve(name), path.join(root, name));
  cpSync('bin', path.join(root, 'bin'), { recursive: true });
  for (const [name, folder] of Object.entries({
    'dist/lambdas': tinyBundles(),
    'admin-ui/dist': tinySite(),
  })) {
    mkdirSync(path.dirname(path.join(root, name)));
    symlinkSync(folder, path.join(root, name));
  }
  return path.join(root, 'bin/cuevault.ts');
};

test('a stack carries its settings in the metadata of its template, except "adopt"', async () => {
  const folder = newFolder();
  const run = spawnSync(process.execPath, [appBeside()], {
    encoding: 'utf8',
    env: {
      ...process.env,
      CDK_OUTDIR: folder,
      CDK_CONTEXT_JSON: JSON.stringify({
        stage: 'prod',
        throttleRate: '8',
        adopt: 'true',
        'aws:cdk:disable-asset-staging': true,
      }),
      CDK_VALIDATION: 'false',
      // Without the rules of what fails in accounts.
      CUEVAULT_COMMAND: 'npx cuevault-deploy',
      CUEVAULT_DEPLOYED_SETTINGS: '{"throttleRate":"4","accessDays":"30","dropped":"x"}',
    },
  });
  expect(run.stderr).toBe('');
  const TemplateBody = readFileSync(path.join(folder, 'CuevaultStack.template.json'), 'utf8');
  cloudFormation.on(GetTemplateCommand).resolves({ TemplateBody });
  const stack = { name: 'cuevault-prod', id: '', status: '', output: String };
  const carried = { stage: 'prod', throttleRate: '8', accessDays: '30' };
  expect([await deployedSettings(stack), await deployedSettings(undefined)]).toEqual([carried, {}]);
});
