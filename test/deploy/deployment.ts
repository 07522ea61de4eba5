import {
  CloudFormationClient,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import type { Emulator } from './emulator.ts';

const NAME = 'cuevault-test';

/** Settings as arguments of the CDK CLI. */
const given = (...settings: string[]) => settings.flatMap((each) => ['-c', each]);

/** Those that a deployment of the tests has. The emulator has no CodeDeploy. */
const SETTINGS = given('stage=test', 'operatorEmail=ada@example.com', 'gradualDeployment=false');

const APP = ['--app', 'node test/deploy/app.ts', '--output', 'dist/test-deploy'];

/** Deploys the stack under the settings; returns what the CLI printed, and its exit status. */
export const deploy = ({ cdk }: Emulator, ...settings: string[]) =>
  cdk('deploy', ...APP, '--require-approval', 'never', ...SETTINGS, ...given(...settings));

/** The same as the people who run it do: by `npm run deploy`, without the settings of the tests. The emulator's API has another address than its stack says. */
export const deployByCommand = ({ node }: Emulator, ...settings: string[]) =>
  node('scripts/aws/deploy.ts', ...APP, '--skip-smoke', '--yes', '--stage', 'test', ...given(...settings));

/** Brings existing resources into a new stack; `mapping` is a file with their identifiers. */
export const adopt = ({ cdk }: Emulator, mapping: string) =>
  cdk('import', ...APP, '--resource-mapping', mapping, '--force', ...SETTINGS, ...given('adopt=true'));

export const destroy = ({ cdk }: Emulator) => cdk('destroy', ...APP, '--force', ...SETTINGS);

/** The deployed stack: its status, outputs, and physical ids by logical id. */
export const inspect = async ({ client }: Emulator, StackName = NAME) => {
  const cloudFormation = new CloudFormationClient(client);
  const { Stacks: [stack] = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
  const { StackResources = [] } = await cloudFormation.send(new DescribeStackResourcesCommand({ StackName }));
  return {
    status: stack?.StackStatus,
    outputs: Object.fromEntries((stack?.Outputs ?? []).map((o) => [o.OutputKey ?? '', o.OutputValue ?? ''])),
    resources: Object.fromEntries(
      StackResources.map(({ LogicalResourceId = '', PhysicalResourceId = '', ResourceType = '' }) => [
        LogicalResourceId,
        { id: PhysicalResourceId, type: ResourceType },
      ]),
    ),
  };
};
