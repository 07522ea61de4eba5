import { parseArgs } from 'node:util';
import { CliError, EXIT } from '../exit-codes.ts';
import type { GitValues } from '../git/compare.ts';
import { GIT_HELP } from '../help.ts';
import type { Terminal } from '../terminal.ts';

const COMMON = {
  format: { type: 'string' },
  repository: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;
const LABEL = { label: { type: 'string', multiple: true } } as const;
const WRITING = { overwrite: { type: 'boolean' }, 'dry-run': { type: 'boolean' } } as const;

/** The options of the commands for prompts in git. */
export const GIT_OPTIONS = {
  push: { ...COMMON, ...LABEL, ...WRITING, 'ignore-history': { type: 'boolean' } },
  pull: { ...COMMON, ...WRITING, all: { type: 'boolean' } },
  diff: { ...COMMON, ...LABEL, 'exit-code': { type: 'boolean' } },
} as const;

/** `cuevault push DIR`, `cuevault pull DIR`, `cuevault diff DIR`. Returns the exit code. */
export const gitCommand =
  (command: keyof typeof GIT_OPTIONS) =>
  async (args: string[], terminal: Terminal): Promise<number> => {
    const { values, positionals } = parseArgs({
      args,
      options: GIT_OPTIONS[command],
      allowPositionals: true,
    });
    if (values.help === true) {
      terminal.out(GIT_HELP);
      return EXIT.done;
    }
    const [folder, ...more] = positionals;
    if (folder === undefined || more.length > 0)
      throw new CliError(`Usage: cuevault ${command} DIR; see "cuevault ${command} --help".`, EXIT.usage);
    // Loaded here, as it contains packages for YAML and canonical JSON.
    const { COMMANDS } = await import('../git/commands.ts');
    return COMMANDS[command](folder, values as GitValues, terminal);
  };
