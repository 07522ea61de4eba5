import { OPTIONS, type Option } from './options.ts';

/** What a command does and takes, in the words of its help. */
export interface Description {
  /** Behind its name. */
  readonly usage: readonly [first: string, ...others: string[]];
  /** For the list of all commands. */
  readonly summary: string;
  readonly about: string;
  /** The options that it has, in the order of its help. */
  readonly options: { readonly [option in Option]?: string };
  /** What stands behind the options. */
  readonly notes?: string;
  /** Lines that work. */
  readonly examples?: readonly string[];
}

const WHICH_SECRETS = {
  environment: 'the environment of the secrets (default: CUEVAULT_ENVIRONMENT, else default)',
  key: 'only this secret; may be given several times',
  tags: 'only secrets that have all of these tags',
  prefix: 'put P before the name of every variable',
  'strip-prefix': 'take P from the beginning of names that have it, before --prefix',
  only: 'only these variables, and each must be found; B gets the secret KEY',
  optional: 'these too, where they are found',
  allow: 'set these names although they can change what programs do; not those of CUEVAULT_*',
  'allow-empty': 'accept that nothing is found',
};

const OFFLINE = {
  'offline-ok': 'keep an encrypted copy, and use it when the service cannot answer',
  offline: 'use the copy without asking the service',
  'offline-dir': "folder of the copies (default: cuevault in the user's cache folder)",
  'offline-max-age': 'maximum age of the copy in hours (default: 24)',
};

const run: Description = {
  usage: ['[options] -- COMMAND [ARGUMENT...]'],
  summary: 'run a command with secrets in its environment',
  about: `Fetches secrets, sets them as environment variables, and runs the command. Nothing is started unless the secrets
could be fetched.

The command inherits the environment, CUEVAULT_API_KEY and CUEVAULT_URL included; --without-api-key withholds the key.
Inherited variables that are not empty win over secrets, and names that can change what programs do, such as PATH or
HTTP_PROXY, are not set: one line on standard error names both. Where others may add secrets, list the names that
the command needs in a file cuevault.names, one a line, in the folder where it starts; no others are set.`,
  options: {
    ...WHICH_SECRETS,
    override: 'secrets replace inherited variables, or only these',
    strict: 'fail if a secret would not be set',
    'env-file': 'values of your own, which win over secrets; may be given several times, the last wins',
    require: 'fail if a variable that FILE names, such as .env.example, is missing or empty',
    redact: `mask secrets, the API key and tokens in the output of the command, which is then no terminal;
against accidents: a command that wants to print them can`,
    'without-api-key': `the command does not inherit the API key or what gives tokens of a trust; where it does not run
in place of cuevault, it can still read the variables of its parent process`,
    watch: 'restart the command when a value changes; not without a variable that it started with',
    'watch-interval': 'seconds between checks (default: 60); the audit log has each check',
    group: 'with --watch, --redact or another system: signals reach all that the command has started',
    ...OFFLINE,
  },
  notes: `Without --watch and --redact, Linux runs the command in place of cuevault (Node.js 22.15 or later); otherwise it is a
child process. Signals reach the command alone, so that it can finish its work; what it leaves behind is ended at a
restart. A shell between passes no signals on: use "exec" there, or --group.`,
  examples: ['cuevault run --tags production -- node server.js'],
};

const env: Description = {
  usage: ['[options]'],
  summary: 'print secrets as dotenv, JSON, for Docker or for a shell',
  about: `Prints secrets, except names that can change what programs do, and names that are not in a file cuevault.names of this
folder. Values go to a terminal only with --reveal.`,
  options: {
    format: 'dotenv (default), json, shell, or docker for "docker run --env-file"',
    json: 'the same as --format json',
    names: 'print only the names',
    reveal: 'print values even to a terminal',
    output: 'write to this file, with mode 0600, completely or not at all',
    ...WHICH_SECRETS,
    ...OFFLINE,
  },
  examples: ['cuevault env -o .env', 'eval "$(cuevault env --format shell)"'],
};

const prompt: Description = {
  usage: ['get NAME [options]'],
  summary: 'print a prompt',
  about: 'Prints the template, or the compiled text if there are variables.',
  options: {
    version: 'MAJOR.MINOR.PATCH, or latest',
    label: `the version that this label points to (default: CUEVAULT_LABEL, else CUEVAULT_ENVIRONMENT,
else the latest)`,
    var: 'a value for a placeholder; may be given several times',
    strict: 'fail if a placeholder has no value',
    json: 'print all fields as JSON',
  },
  examples: ['cuevault prompt get greeting --label production --var user=Ada --strict'],
};

const IN_GIT = `Prompt files are DIR/NAME.prompt in a git repository. Nothing is ever deleted. The API key needs the permission to
publish.`;

const COMPARED = {
  format: 'text (default), json or markdown',
  repository: 'name of the repository (default: from the remote "origin"), such as acme/app',
};

const push: Description = {
  usage: ['DIR [options]'],
  summary: 'publish what changed in prompt files',
  about: `Publishes what changed in the prompt files of a folder, and stops if something was edited in the service meanwhile.
${IN_GIT}`,
  options: {
    ...COMPARED,
    label: 'then point this label to the versions of the files; may be given several times',
    'dry-run': 'only print what would happen, and refuse what would be refused without',
    overwrite: 'publish the files over edits in the service',
    'ignore-history': 'even if newer commits may have been published already',
  },
  examples: ['cuevault push prompts --label staging'],
};

const pull: Description = {
  usage: ['DIR [options]'],
  summary: 'write what was edited in the service to prompt files',
  about: `Writes what was edited in the service to the prompt files of a folder.\n${IN_GIT}`,
  options: {
    ...COMPARED,
    all: 'also write prompts that have no file',
    overwrite: 'write edits over files that changed too',
    'dry-run': 'only print what would be written',
  },
  examples: ['cuevault pull prompts --all'],
};

const diff: Description = {
  usage: ['DIR [options]'],
  summary: 'compare prompt files with the service',
  about: `Compares the prompt files of a folder with the prompts of the service.\n${IN_GIT}`,
  options: {
    ...COMPARED,
    label: 'also show how this label would move; may be given several times',
    'exit-code': 'exit with 8 if there are differences, with 9 if something was edited in the service',
  },
  examples: ['cuevault diff prompts --exit-code'],
};

const imports: Description = {
  usage: ['langfuse --from URL [options]', 'openlit FILE [options]'],
  summary: 'take over prompts from there',
  about: `Takes over prompts with all their published versions, and with their labels. First prints what would be written; --write
writes it. Version N of Langfuse becomes N.0.0. A prompt that does not fit is named and skipped. Nothing is ever
replaced: running it again adds what is missing. The API key needs the permission to publish, and must be allowed to
move the labels.`,
  options: {
    from: 'address of Langfuse; LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY are keys of the project',
    write: 'write what the run without it printed',
    'move-labels': 'also move labels that point to another version here',
  },
  notes:
    "FILE is an export of OpenLIT's database, one JSON object in each line; docs/how-to/from-openlit.md has the command.",
  examples: ['cuevault import langfuse --from https://cloud.langfuse.com --write'],
};

const types: Description = {
  usage: ['NAME[@LABEL]... [options]'],
  summary: 'write types of prompts',
  about: `Writes TypeScript types of the names, labels and variables of prompts, so that a wrong one fails in the editor.
A prompt is NAME, NAME@VERSION or NAME@LABEL.`,
  options: { output: 'where to write to (default: standard output)' },
  examples: ['cuevault types greeting@production -o cuevault-prompts.d.ts'],
};

const mcp: Description = {
  usage: ['[options]'],
  summary: 'offer the prompts of a label to an MCP host',
  about: `Serves the prompts of a label by the Model Context Protocol on standard input and output: read only, and no secrets.
It needs the package @modelcontextprotocol/sdk beside this one. Arguments are texts, and become what the variables are
declared as. The protocol has no system messages: they become messages of the user, which the description says, with how
much else it leaves out.`,
  options: { label: 'which prompts (default: CUEVAULT_LABEL, else CUEVAULT_ENVIRONMENT)' },
  examples: ['cuevault mcp --label production'],
};

const whoami: Description = {
  usage: ['[options]'],
  summary: 'print who calls, and with which limits',
  about: `Prints the address of the service, what it knows of the API key or token (id, name, limits, expiry), the address from
which it was called, and by how much the clock of this machine is ahead. It is no use of the key.`,
  options: { json: 'print it as JSON' },
};

/** All commands by their names. */
export const DESCRIPTIONS = { run, env, prompt, push, pull, diff, import: imports, mcp, types, whoami };

export type CommandName = keyof typeof DESCRIPTIONS;

const COLUMN = 25;

const optionLine = (name: Option, meaning: string): string => {
  const { short, value = '' }: { type: string; short?: string; value?: string } = OPTIONS[name];
  const written = `${short === undefined ? '' : `-${short}, `}--${name}${value.startsWith('[') ? '' : ' '}${value}`;
  return `  ${written.trimEnd()}`.padEnd(COLUMN) + meaning.replaceAll('\n', `\n${' '.repeat(COLUMN)}`);
};

/** How a command is called, one line for each way. */
export const usageOf = (name: CommandName): string[] =>
  DESCRIPTIONS[name].usage.map((usage) => `cuevault ${name} ${usage}`);

/** The help of a command. */
export const helpOf = (name: CommandName): string => {
  const { about, options, notes, examples = [] }: Description = DESCRIPTIONS[name];
  const lines = Object.entries(options).map(([option, meaning]) => optionLine(option as Option, meaning));
  const title = examples.length > 1 ? 'Examples: ' : 'Example: ';
  const shown = examples.map((line, index) => (index === 0 ? title : ' '.repeat(title.length)) + line);
  const parts = [usageOf(name).join('\n'), about, lines.join('\n'), notes ?? '', shown.join('\n')];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
};

const LISTED = Object.entries(DESCRIPTIONS)
  .map(([name, { usage, summary }]) => `  ${`cuevault ${name} ${usage[0]}`.padEnd(49)} ${summary}\n`)
  .join('');

/** The first screen: `cuevault --help`. */
export const HELP = `cuevault: secrets and prompts from your Cuevault service

${LISTED}  cuevault COMMAND --help                           more about one of them
  cuevault --version

The address comes from CUEVAULT_URL (default: http://localhost:3000), the API key from CUEVAULT_API_KEY or from the
file that CUEVAULT_API_KEY_FILE names. With CUEVAULT_TRUST, a token of the platform for this audience replaces it.
CUEVAULT_ENVIRONMENT is the environment of secrets, and the label of prompts that are asked for without version and
label, unless CUEVAULT_LABEL is another one. CUEVAULT_ALLOW_INSECURE_HTTP=1 accepts http:// to another machine.

Exit codes: 0 done; 1 anything else; 2 wrong usage; 3 the API key was rejected or lacks
permission, or all secrets are stopped; 4 not found; 5 the service cannot be reached or cannot answer; 6 the secrets
cannot be set, or not printed in this form; 8 "diff --exit-code" found differences; 9 prompts
were edited in the service; 126 the command cannot be run; 127 the command does not exist. "run" exits as its command
exits.
`;
