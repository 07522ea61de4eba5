import type { CloudFormationCustomResourceEvent } from 'aws-lambda';

/** Attributes of a resource, which others refer to with `Fn::GetAtt`. */
export type Attributes = Readonly<Record<string, string>>;

/**
 * Runs the work of a custom resource and reports the result to CloudFormation. A failure fails the deployment, with the
 * error's message as the reason.
 */
export const answerCloudFormation = async (
  event: CloudFormationCustomResourceEvent,
  physicalId: string,
  work: () => Promise<Attributes>,
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
