import { CliError, EXIT } from '../exit-codes.ts';
import { COMPLETION_HELP } from '../help.ts';
import type { Terminal } from '../terminal.ts';

/** The commands and their options, for completion. */
export type Commands = { readonly [command: string]: { readonly [option: string]: unknown } };

/** What can follow a command besides options. */
const WORDS: { readonly [command: string]: string } = {
  prompt: 'get snapshot',
  import: 'langfuse openlit',
  completion: 'bash zsh fish',
};

const wordsAfter = (command: string, options: object): string =>
  [WORDS[command] ?? '', ...Object.keys(options).map((name) => `--${name}`)].join(' ').trim();

const bash = (commands: Commands): string => `_cuevault() {
  local current=\${COMP_WORDS[COMP_CWORD]} i
  # Behind -- another command begins.
  for ((i = 1; i < COMP_CWORD; i++)); do [[ \${COMP_WORDS[i]} == -- ]] && { COMPREPLY=(); return; }; done
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${Object.keys(commands).join(' ')}' -- "$current"))
    return
  fi
  case \${COMP_WORDS[1]} in
${Object.entries(commands)
  .map(
    ([name, options]) =>
      `    ${name}) COMPREPLY=($(compgen -W '${wordsAfter(name, options)}' -- "$current")) ;;\n`,
  )
  .join('')}  esac
}
complete -o default -F _cuevault cuevault
`;

// Bash's own functions of completion work in zsh too.
const zsh = (commands: Commands): string => `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`;

const fish = (commands: Commands): string => {
  const names = Object.keys(commands);
  return [
    `complete -c cuevault -n __fish_use_subcommand -f -a '${names.join(' ')}'`,
    ...Object.entries(WORDS).map(
      ([name, words]) => `complete -c cuevault -n '__fish_seen_subcommand_from ${name}' -f -a '${words}'`,
    ),
    ...names.flatMap((name) =>
      Object.keys(commands[name] ?? {}).map(
        (option) => `complete -c cuevault -n '__fish_seen_subcommand_from ${name}' -l ${option}`,
      ),
    ),
    '',
  ].join('\n');
};

const SHELLS: { readonly [shell: string]: (commands: Commands) => string } = { bash, zsh, fish };

/** `cuevault completion SHELL`: prints the completion script of a shell. Returns the exit code. */
export const completionCommand = (
  [shell = '', ...more]: string[],
  terminal: Terminal,
  commands: Commands,
): number => {
  if (shell === '--help' || shell === '-h') {
    terminal.out(COMPLETION_HELP);
    return EXIT.done;
  }
  const script = Object.hasOwn(SHELLS, shell) && more.length === 0 ? SHELLS[shell] : undefined;
  if (script === undefined) {
    throw new CliError('Usage: cuevault completion bash, zsh or fish.', EXIT.usage);
  }
  terminal.raw(script(commands));
  return EXIT.done;
};
