import { setTimeout as sleep } from 'node:timers/promises';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';

/**
 * Runs the work of a custom resource and reports the result to CloudFormation. A failure fails the deployment, with the
 * error's message as the reason. Other resources refer to the attributes that `work` returns with `Fn::GetAtt`.
 */
export const answerCloudFormation = async (
  event: CloudFormationCustomResourceEvent,
  physicalId: string,
  work: () => Promise<Readonly<Record<string, string>>>,
): Promise<void> => {
  const { StackId, RequestId, LogicalResourceId } = event;
  const outcome = await work().then(
    (Data) => ({ Status: 'SUCCESS', Data }),
    (error: unknown) => ({ Status: 'FAILED', Reason: error instanceof Error ? error.message : 'Unknown' }),
  );
  const body = { StackId, RequestId, LogicalResourceId, PhysicalResourceId: physicalId, ...outcome };
  const reply = await fetch(event.ResponseURL, {
    method: 'PUT',
    headers: { 'content-type': '' },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`CloudFormation answered ${reply.status}.`);
};

const DENIED = new Set(['AccessDeniedException', 'UnrecognizedClientException']);

const PAUSE_MS = 5_000;
const TRIES = 12;

const isDenied = (error: unknown): boolean =>
  error instanceof Error && (DENIED.has(error.name) || isDenied(error.cause));

/**
 * Retries an action for up to a minute while AWS denies it: a new role takes some seconds to propagate. `pause` waits
 * between two attempts.
 */
export const retryWhileDenied = async <T>(
  action: () => Promise<T>,
  pause: (milliseconds: number) => Promise<unknown> = sleep,
): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await action();
    } catch (error) {
      if (!isDenied(error) || tries === TRIES) throw error;
      await pause(PAUSE_MS);
    }
  }
};
