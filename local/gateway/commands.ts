import type { IncomingMessage, ServerResponse } from 'node:http';
import { COMMANDS, type CommandEvent, operatorManage } from '../../contract/functions/commands.ts';
import { INVOCATION_PATH, NOT_JSON } from '../aws/lambda.ts';
import { parsedJson, readBody } from '../request-body.ts';
import { administratorOf } from './administrator.ts';
import { answerItself, EVENT_LIMIT, type Invoker } from './functions.ts';

// With the other, administrators could change their own accounts.
const INVOCABLE = COMMANDS.map(({ id }) => id).filter((id) => id !== operatorManage.id);

/** The command that a request invokes, if its path is of that form and the command exists. */
export const commandIn = (method: string, path: string): string | undefined => {
  const [, id] = INVOCATION_PATH.exec(path) ?? [];
  return method === 'POST' ? INVOCABLE.find((known) => known === id) : undefined;
};

/** Answers as Lambda does when a body is not JSON. */
const refuseBody = (response: ServerResponse): void => {
  response
    .writeHead(400, { 'content-type': 'application/json', 'x-amzn-errortype': NOT_JSON.code })
    .end(JSON.stringify({ Type: 'User', message: NOT_JSON.message }));
};

/** Invokes a command for an operator of the group `admin`. On AWS, IAM decides who may invoke it. */
export const invokeCommand = async (
  { functions, ...admission }: Invoker,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const judged = await administratorOf(admission, request);
  if ('refused' in judged) return answerItself(response, judged.refused);
  const body = await readBody(request, EVENT_LIMIT);
  if (body === undefined) return answerItself(response, 413);
  const input = parsedJson(body);
  if (input === undefined) return refuseBody(response);
  const event: CommandEvent = { operator: judged.operator, input };
  const outcome = await functions.get(id)?.invoke(event);
  if (outcome === undefined || 'failure' in outcome) return answerItself(response, 500);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(outcome.reply));
};
