import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { CLIENT_OPTIONS } from './connect.ts';
import { mapAwsErrors } from './failures.ts';

/** Starts a job with an event, and does not wait for it. Lambda repeats a run that fails twice. */
export type StartJob<Event> = (event: Event) => Promise<void>;

/** Connects to the job that the environment names (`contract/functions/environment.ts`). */
export const connectJob = <Event>(): StartJob<Event> => {
  const client = new LambdaClient(CLIENT_OPTIONS);
  const FunctionName = process.env[ENVIRONMENT.job] ?? '';
  return async (event) => {
    const call = new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload: JSON.stringify(event) });
    await mapAwsErrors(client.send(call));
  };
};
