import { parseArgs } from 'node:util';
import { EXIT } from '../exit-codes.ts';
import { IMPORT_HELP } from '../help.ts';
import type { Terminal } from '../terminal.ts';

export const IMPORT_OPTIONS = {
  from: { type: 'string' },
  write: { type: 'boolean' },
  'move-labels': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** `cuevault import langfuse`, `cuevault import openlit`. Returns the exit code. */
export const importCommand = async (args: string[], terminal: Terminal): Promise<number> => {
  const { values, positionals } = parseArgs({ args, options: IMPORT_OPTIONS, allowPositionals: true });
  if (values.help === true) {
    terminal.out(IMPORT_HELP);
    return EXIT.done;
  }
  const { COMMANDS } = await import('../git/commands.ts');
  return COMMANDS.import(positionals, values, terminal);
};
