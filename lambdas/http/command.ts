import type { Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Command, CommandEvent, CommandReply } from '../../contract/functions/commands.ts';
import { withDeadline } from '../core/deadline.ts';
import { assertValid, isCuevaultError } from '../core/errors.ts';
import { logFailure } from '../log.ts';
import type { Change } from '../store/audit.ts';
import { validate } from './input.ts';

const OPERATOR = /^[^\s]{1,512}$/;

/**
 * The handler of a command. IAM, or the local gateway, has checked who may invoke it. A `CuevaultError` becomes the
 * reply; any other error fails the invocation.
 */
export const commandHandler =
  <Input extends z.ZodMiniType>(
    { id, input: schema }: Command<Input>,
    handle: (call: { readonly input: z.output<Input>; readonly change: Change }) => Promise<unknown>,
  ) =>
  async (
    { operator, operatorId = operator, input }: CommandEvent,
    context: Context,
  ): Promise<CommandReply> => {
    const { awsRequestId } = context;
    try {
      assertValid(OPERATOR.test(operator), '"operator" must name the caller.');
      const actor = { id: operatorId, name: operator };
      const change = { at: new Date(), actor, isAdmin: true, requestId: awsRequestId };
      const call = { input: validate(schema, input), change };
      return { res: await withDeadline(context, () => handle(call)) };
    } catch (error) {
      logFailure(`${id} failed`, error, { requestId: awsRequestId });
      if (!isCuevaultError(error)) throw error;
      return { err: error.message, code: error.code, res: null };
    }
  };
