import { setTimeout as sleep } from 'node:timers/promises';
import {
  GetEventSourceMappingCommand,
  LambdaClient,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { connectTable } from '../../lambdas/store/connect.ts';
import { environmentOf, resourcesOf } from '../aws/functions.ts';
import { CommandError, requireStack } from '../aws/stack.ts';
import { requireMayWrite } from '../aws/table-access.ts';
import { type Recount, recount } from './counters.ts';

const CONSUMER = 'usage-count';
const POLL_MS = 5_000;
/** Requests end after 15 seconds, and clocks differ by a few seconds at most. */
const MARGIN_MS = 60_000;

/** The event source mapping of the consumer, and the environment of its function. */
const findConsumer = async (stage: string, lambda: LambdaClient) => {
  const { name } = await requireStack(stage);
  for (const { ResourceType, PhysicalResourceId: uuid } of await resourcesOf(name)) {
    if (ResourceType !== 'AWS::Lambda::EventSourceMapping' || uuid === undefined) continue;
    const { FunctionArn = '' } = await lambda.send(new GetEventSourceMappingCommand({ UUID: uuid }));
    const environment = await environmentOf(FunctionArn);
    if (environment[ENVIRONMENT.operation] === CONSUMER) return { uuid, environment };
  }
  throw new CommandError(`The stack ${name} has no ${CONSUMER}. Deploy this release first: npm run deploy`);
};

type Wait = (milliseconds: number) => Promise<unknown>;

/** Replaced in tests. */
interface Surroundings {
  readonly wait: Wait;
  /** Prints a line. */
  readonly print: (line: string) => void;
}

const setEnabled = async (lambda: LambdaClient, UUID: string, Enabled: boolean, wait: Wait) => {
  const stateIn = async (states: readonly string[]): Promise<void> => {
    for (;;) {
      const { State = '' } = await lambda.send(new GetEventSourceMappingCommand({ UUID }));
      if (states.includes(State)) return;
      await wait(POLL_MS);
    }
  };
  // Lambda refuses to change a mapping that is still changing, such as after an interrupted run.
  await stateIn(['Enabled', 'Disabled']);
  await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
  await stateIn([Enabled ? 'Enabled' : 'Disabled']);
};

/**
 * Recounts the last `days` days of a deployment while its consumer is paused. After a failure it stays paused, because
 * some counters may be rebuilt and others not: the next run completes the work and resumes.
 * Errors: `CommandError` if there is no such stage, the caller may not write to its table, or counting is still paused;
 * those of AWS before that.
 */
export const recountStage = async (
  stage: string,
  days: number,
  { wait, print }: Surroundings = { wait: sleep, print: console.log },
): Promise<Recount> => {
  const lambda = new LambdaClient({});
  const { uuid, environment } = await findConsumer(stage, lambda);
  await requireMayWrite(environment[ENVIRONMENT.table] ?? '');
  print(`Pausing ${CONSUMER}. If this is interrupted, run it again: it resumes at the end.`);
  await setEnabled(lambda, uuid, false, wait);
  const table = connectTable(environment);
  try {
    const until = new Date(Date.now() + MARGIN_MS);
    // By then, every request that began before `until` has been written.
    await wait(2 * MARGIN_MS);
    const done = await recount(table, days, until);
    await setEnabled(lambda, uuid, true, wait);
    return done;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${CONSUMER} is still paused. Run this again; it resumes at the end. (${reason})`);
  } finally {
    table.client.destroy();
  }
};
