import { diff } from './diff.ts';
import { pull } from './pull.ts';
import { push } from './push.ts';

/** The commands for prompts in git. */
export const COMMANDS = { push, pull, diff };
