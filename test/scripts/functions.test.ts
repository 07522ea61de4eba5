import { writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import { functionsOf } from '../../scripts/aws/functions.ts';
import { chooseInstallation } from '../../scripts/aws/installation.ts';
import { requireStage } from '../../scripts/aws/stack.ts';
import { mockClient } from '../support/aws/mock-client.ts';
import { described, listed } from '../support/aws/stack.ts';
import { newFolder } from '../support/new-folder.ts';

const cloudFormation = mockClient(CloudFormationClient);

beforeEach(() => {
  cloudFormation.reset();
  cloudFormation.on(DescribeStacksCommand).resolves(described());
  cloudFormation
    .on(ListStackResourcesCommand)
    .resolvesOnce({
      StackResourceSummaries: [listed('AWS::IAM::Role', 'auditsealFunctionServiceRole1A2B', 'a-role')],
      NextToken: 'more',
    })
    .resolves({
      StackResourceSummaries: [listed('AWS::Lambda::Function', 'auditsealFunction3C4D', 'a-function')],
    });
});

test('the function of an operation is found on any page, and not mistaken for its role', async () => {
  expect((await functionsOf('prod'))('audit-seal')).toBe('a-function');
});

test('an operation that the stack does not have is named, with the remedy', async () => {
  const nameOf = await functionsOf('prod');
  expect(() => nameOf('backup-export')).toThrow(
    'The stack cuevault-prod has no backup-export. Deploy this release first: npm run deploy',
  );
});

describe('a command that names no installation', () => {
  const folder = newFolder();
  const before = process.env.CUEVAULT_DATA;
  beforeEach(() => {
    process.env.CUEVAULT_DATA = path.join(folder, 'none');
  });
  afterAll(() => {
    if (before === undefined) delete process.env.CUEVAULT_DATA;
    else process.env.CUEVAULT_DATA = before;
  });

  const deployed = (...stages: string[]) =>
    cloudFormation.on(DescribeStacksCommand).resolves({
      Stacks: stages.map((Value) => ({
        ...described().Stacks[0],
        StackName: `cuevault-${Value}`,
        StackStatus: 'CREATE_COMPLETE',
        CreationTime: new Date(0),
        Tags: [{ Key: 'cuevault:stage', Value }],
      })),
    });
  const onThisMachine = () => {
    writeFileSync(path.join(folder, 'first-run.json'), '{}');
    process.env.CUEVAULT_DATA = folder;
  };

  test('speaks to the only one, on AWS or on this machine', async () => {
    deployed('live');
    expect([await chooseInstallation({}), await requireStage(undefined)]).toEqual(['live', 'live']);
    onThisMachine();
    deployed();
    expect(await chooseInstallation({})).toBeUndefined();
  });

  test('is refused if there are several, with their names, and never guesses', async () => {
    deployed('live', 'qa');
    await expect(chooseInstallation({})).rejects.toThrow('--stage live, --stage qa');
    await expect(requireStage(undefined)).rejects.toThrow('live, qa. Name one with --stage.');
    onThisMachine();
    deployed('live');
    await expect(chooseInstallation({})).rejects.toThrow(`--stage live, --local (${folder})`);
    expect(await chooseInstallation({ local: true })).toBeUndefined();
    expect(await chooseInstallation({ stage: 'qa' })).toBe('qa');
  });

  test('stops when AWS does not answer, and does not take the one on this machine for the only one', async () => {
    onThisMachine();
    cloudFormation
      .on(DescribeStacksCommand)
      .rejects(Object.assign(new Error('old'), { name: 'ExpiredToken' }));
    await expect(chooseInstallation({})).rejects.toThrow('old');
  });
});
