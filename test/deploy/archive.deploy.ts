import { spawnSync } from 'node:child_process';
import {
  CognitoIdentityProviderClient,
  ListUserPoolsCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DescribeKeyCommand, KMSClient, paginateListKeys } from '@aws-sdk/client-kms';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import npm from '../../package.json' with { type: 'json' };
import { newFolder } from '../support/new-folder.ts';
import { inspect } from './deployment.ts';
import { type Emulator, startEmulator } from './emulator.ts';
import { signIn } from './sign-in.ts';

const STACK = 'cuevault-dev';
const ARCHIVE = `./cuevault-deploy-${npm.version}.tgz`;
const folder = newFolder();

let emulator: Emulator;
beforeAll(async () => {
  const build = ['scripts/packages/main.ts', '--out', folder, 'cuevault-deploy'];
  const built = spawnSync(process.execPath, build, { encoding: 'utf8' });
  expect([built.status, built.stdout]).toEqual([0, expect.stringContaining('Built cuevault-deploy')]);
  emulator = await startEmulator();
}, 600_000);
afterAll(() => emulator?.stop());

/** Runs a command of the archive in its folder, which contains nothing else. */
const run = (...args: string[]) => emulator.run(folder, 'npx', '--yes', ARCHIVE, ...args);

const deploy = (...more: string[]) => run('deploy', '--email', 'ada@example.com', '--yes', ...more);

test('one line bootstraps, deploys, invites, checks, and prints addresses and calls', async () => {
  const { output } = await deploy();
  expect(output).toContain(`"npx ${ARCHIVE} deploy" does it, with the credentials of an administrator`);
  expect(output).toMatch(
    /This deploys the stage dev to account …0000, region us-east-1\.\n.*2\.48 US dollars/,
  );
  expect(output).toMatch(/Environment aws:\/\/000000000000\/us-east-1 bootstrapped/);
  expect(output).toMatch(/ok {7}routes: all \d+ answer as expected without credentials/);
  expect(output).toMatch(/ok {7}round trip: a prompt and a secret were written, read, changed, audited/);
  const { outputs, status } = await inspect(emulator, STACK);
  expect(status).toBe('CREATE_COMPLETE');
  expect(output).toContain(
    `Deployed.\n  AdminUrl  ${outputs.AdminUrl}\n  ApiUrl    ${outputs.ApiUrl}\n  The invitation of ada@example.com is mailed.\n`,
  );
  // The emulator has no throttle and no policies of keys.
  expect(output).toContain(`Deployed, but checks failed. Repeat them with "npx ${ARCHIVE} smoke".`);
}, 600_000);

test('whoever was invited signs in, and the calls that were printed answer', async () => {
  const reset = await run('operator', 'reset', 'ada@example.com', '--print');
  const deployed = await inspect(emulator, STACK);
  const bearer = await signIn(emulator, deployed, reset);
  const call = async (path: string, key: string, body: object) => {
    const headers = { authorization: `Bearer ${key}` };
    const sent = { method: 'POST', headers, body: JSON.stringify(body) };
    const reply = await fetch(deployed.outputs.ApiUrl + path, sent);
    return ((await reply.json()) as { res: { apiKey: string } }).res;
  };
  await call('/api/admin/prompts', bearer, { name: 'greeting', version: '1.0.0', prompt: 'Hello.' });
  await call('/api/admin/secrets', bearer, { key: 'LLM_KEY', value: 'secret value', tags: [] });
  const made = { name: 'app', permissions: ['prompts', 'secrets'] };
  const { apiKey } = await call('/api/admin/api-keys', bearer, made);
  const prompt = await call('/api/prompt/get-compiled', apiKey, { name: 'greeting' });
  expect(prompt).toMatchObject({ prompt: 'Hello.' });
  expect(await call('/api/vault/get-secrets', apiKey, {})).toEqual({ LLM_KEY: 'secret value' });
}, 600_000);

test('the same line upgrades, and keeps the settings', async () => {
  const { output } = await deploy('-c', 'throttleRate=70');
  const settings = ['operatorEmail: ada@example.com', 'stage: dev', 'throttleRate: the default -> 70'];
  expect(output).toContain(settings.map((each) => `  ${each}\n`).join(''));
  expect(output).not.toMatch(/Bootstrapping|is mailed/);
  expect((await inspect(emulator, STACK)).status).toBe('UPDATE_COMPLETE');
}, 600_000);

/** The names of what costs or keeps data in the account, and the states of keys. */
const left = async () => {
  const { client } = emulator;
  const { TableNames } = await new DynamoDBClient(client).send(new ListTablesCommand({}));
  const { UserPools } = await new CognitoIdentityProviderClient(client).send(
    new ListUserPoolsCommand({ MaxResults: 10 }),
  );
  const { Buckets = [] } = await new S3Client({ ...client, forcePathStyle: true }).send(
    new ListBucketsCommand({}),
  );
  const kms = new KMSClient(client);
  const keys: (string | undefined)[] = [];
  for await (const { Keys = [] } of paginateListKeys({ client: kms }, {}))
    for (const { KeyId } of Keys)
      keys.push((await kms.send(new DescribeKeyCommand({ KeyId }))).KeyMetadata?.KeyState);
  const buckets = Buckets.flatMap(({ Name = '' }) => (Name.startsWith('cdk-') ? [] : [Name]));
  return { tables: TableNames, pools: UserPools, buckets, keys };
};

test('nothing is removed without the name of the stage', async () => {
  const before = await left();
  expect(before).toMatchObject({ tables: [expect.anything()], pools: [expect.anything()] });
  expect(await run('destroy', '--with-data')).toMatchObject({
    status: 1,
    output: expect.stringContaining('Add --confirm dev.'),
  });
  expect(await run('destroy', '--with-data', '--confirm', 'prod')).toMatchObject({
    status: 1,
    output: expect.stringContaining('Nothing was removed.'),
  });
  expect(await left()).toEqual(before);
}, 600_000);

test('with its data, a trial leaves no table, operators, buckets, and only keys that end in a week', async () => {
  expect(await run('destroy', '--with-data', '--confirm', 'dev')).toMatchObject({
    status: 0,
    output: expect.stringContaining('The stack is removed.'),
  });
  const pending = ['PendingDeletion', 'PendingDeletion'];
  expect(await left()).toEqual({ tables: [], pools: [], buckets: [], keys: pending });
}, 600_000);
