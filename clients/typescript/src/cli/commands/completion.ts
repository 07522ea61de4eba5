import { EXIT, wrongUsage } from '../exit-codes.ts';
import { type Call, optionsIn } from '../options.ts';

/** The names of the commands, with their helps. */
type Commands = readonly (readonly [name: string, { readonly help: string }])[];

/** What can follow a command besides options. */
const WORDS: { readonly [command: string]: string } = {
  prompt: 'get snapshot',
  import: 'langfuse openlit',
  completion: 'bash zsh fish',
};

const optionsOf = ([name, { help }]: Commands[number]) =>
  optionsIn(help, name === 'prompt' ? undefined : name);

const wordsAfter = (command: Commands[number]): string =>
  [WORDS[command[0]] ?? '', ...optionsOf(command).map((option) => `--${option}`)].join(' ').trim();

const bash = (commands: Commands): string => `_cuevault() {
  local current=\${COMP_WORDS[COMP_CWORD]} i
  # Behind -- another command begins.
  for ((i = 1; i < COMP_CWORD; i++)); do [[ \${COMP_WORDS[i]} == -- ]] && { COMPREPLY=(); return; }; done
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${commands.map(([name]) => name).join(' ')}' -- "$current"))
    return
  fi
  case \${COMP_WORDS[1]} in
${commands
  .map((each) => `    ${each[0]}) COMPREPLY=($(compgen -W '${wordsAfter(each)}' -- "$current")) ;;\n`)
  .join('')}  esac
}
complete -o default -F _cuevault cuevault
`;

// Bash's own functions of completion work in zsh too.
const zsh = (commands: Commands): string => `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`;

const fish = (commands: Commands): string =>
  [
    `complete -c cuevault -n __fish_use_subcommand -f -a '${commands.map(([name]) => name).join(' ')}'`,
    ...Object.entries(WORDS).map(
      ([name, words]) => `complete -c cuevault -n '__fish_seen_subcommand_from ${name}' -f -a '${words}'`,
    ),
    ...commands.flatMap((each) =>
      optionsOf(each).map(
        (option) => `complete -c cuevault -n '__fish_seen_subcommand_from ${each[0]}' -l ${option}`,
      ),
    ),
    '',
  ].join('\n');

const SHELLS: { readonly [shell: string]: (commands: Commands) => string } = { bash, zsh, fish };

/** `cuevault completion SHELL`: prints the completion script of a shell. Returns the exit code. */
export const completionCommand = ({ operands: [shell = ''], terminal }: Call, commands: Commands): number => {
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (script === undefined) throw wrongUsage('Usage: cuevault completion bash, zsh or fish.');
  terminal.raw(script(commands));
  return EXIT.done;
};
