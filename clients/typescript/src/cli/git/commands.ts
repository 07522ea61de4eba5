import { importPrompts } from '../import/import.ts';
import { diff } from './diff.ts';
import { pull } from './pull.ts';
import { push } from './push.ts';

/** The commands that are bundled separately: for prompts in git, and `import`. */
export const COMMANDS = { push, pull, diff, import: importPrompts };
