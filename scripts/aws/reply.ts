import type { CommandReply } from '../../contract/functions/commands.ts';
import { CommandError } from './stack.ts';

/** An installation whose commands can be invoked. */
export interface Installation {
  /** The result of a command. Errors: `CommandError` with the command's own sentence. */
  readonly invoke: (id: string, input: unknown) => Promise<unknown>;
  readonly close: () => Promise<void>;
  /** Removes, after it was closed, what opening it has created. */
  readonly remove?: () => void;
}

/** The result in a command's reply. Errors: `CommandError` with its sentence. */
export const resultOf = (reply: CommandReply): unknown => {
  if ('err' in reply) throw new CommandError(reply.err);
  return reply.res;
};

/** The error of a command that failed otherwise. */
export const failed = (id: string, why: string) => new CommandError(`${id} failed: ${why} See its log.`);
