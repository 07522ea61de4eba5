/** The first screen: `cuevault --help`. */
export const HELP = `cuevault: secrets and prompts from your Cuevault service

  cuevault run [options] -- COMMAND [ARGUMENT...]   run a command with secrets in its environment
  cuevault env [options]                            print secrets as dotenv, JSON or for a shell
  cuevault prompt get NAME [options]                print a prompt
  cuevault push|pull|diff DIR [options]             keep prompts in git
  cuevault import langfuse|openlit [options]        take over prompts from there
  cuevault types NAME... [-o FILE]                  write types of prompts
  cuevault whoami                                   print who calls, and with which limits
  cuevault COMMAND --help                           more about one of them
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

const FILTER = `  --environment NAME     the environment of the secrets (default: CUEVAULT_ENVIRONMENT, else default)
  --key KEY              only this secret; may be given several times
  --tags A,B             only secrets that have all of these tags
  --prefix P             put P before the name of every variable
  --strip-prefix P       take P from the beginning of names that have it, before --prefix
  --only A,B=KEY         only these variables, and each must be found; B gets the secret KEY
  --optional A,B=KEY     these too, where they are found
  --allow A,B            set these names although they can change what programs do; not those of CUEVAULT_*
  --allow-empty          accept that nothing is found
`;

const OFFLINE = `  --offline-ok           keep an encrypted copy, and use it when the service cannot answer
  --offline              use the copy without asking the service
  --offline-dir DIR      folder of the copies (default: cuevault in the user's cache folder)
  --offline-max-age H    maximum age of the copy in hours (default: 24)
`;

export const RUN_HELP = `cuevault run [options] -- COMMAND [ARGUMENT...]

Fetches secrets, sets them as environment variables, and runs the command. Nothing is started unless the secrets
could be fetched.

The command inherits the environment, CUEVAULT_API_KEY and CUEVAULT_URL included; --without-api-key withholds the key.
Inherited variables that are not empty win over secrets, and names that can change what programs do, such as PATH or
HTTP_PROXY, are not set: one line on standard error names both. Where others may add secrets, list the names that
the command needs in a file cuevault.names, one a line, in the folder where it starts; no others are set.

${FILTER}  --override[=A,B]       secrets replace inherited variables, or only these
  --strict               fail if a secret would not be set
  --require FILE         fail if a variable that FILE names, such as .env.example, is missing or empty
  --redact               mask the secrets and the API key in the output of the command, which is then no terminal;
                         against accidents: a command that wants to print them can
  --without-api-key      the command gets neither the API key nor what gives tokens of a trust
  --watch                restart the command when a value changes; not without a variable that it started with
  --watch-interval S     seconds between checks (default: 60); the audit log has each check
  --group                with --watch, --redact or another system: signals reach all that the command has started
${OFFLINE}
Without --watch and --redact, Linux runs the command in place of cuevault (Node.js 22.15 or later); otherwise it is a
child process. Signals reach the command alone, so that it can finish its work; what it leaves behind is ended at a
restart. A shell between passes no signals on: use "exec" there, or --group.

Example: cuevault run --tags production -- node server.js
`;

export const ENV_HELP = `cuevault env [options]

Prints secrets, except names that can change what programs do, and names that are not in a file cuevault.names of this
folder. Values go to a terminal only with --reveal.

  --format FORM          dotenv (default), json or shell
  --json                 the same as --format json
  --names                print only the names
  --reveal               print values even to a terminal
  -o, --output FILE      write to this file, with mode 0600, completely or not at all
${FILTER}${OFFLINE}
Examples: cuevault env -o .env
          eval "$(cuevault env --format shell)"
`;

export const PROMPT_HELP = `cuevault prompt get NAME [options]

Prints the template, or the compiled text if there are variables.

  --version V            MAJOR.MINOR.PATCH, or latest
  --label L              the version that this label points to (default: CUEVAULT_LABEL, else CUEVAULT_ENVIRONMENT,
                         else the latest)
  --var NAME=VALUE       a value for a placeholder; may be given several times
  --strict               fail if a placeholder has no value
  --json                 print all fields as JSON

Example: cuevault prompt get greeting --label production --var user=Ada --strict
`;

export const GIT_HELP = `cuevault diff DIR [options]
cuevault push DIR [options]
cuevault pull DIR [options]

Compares the prompt files of a folder in a git repository (DIR/NAME.prompt) with the prompts of the service. "push"
publishes what changed in the files, and stops if something was edited in the service meanwhile. "pull" writes such edits
to the files. Nothing is ever deleted. The API key needs the permission to publish.

  --format FORM          text (default), json or markdown
  --repository NAME      name of the repository (default: from the remote "origin"), such as acme/app
  --label L              push, diff: then point this label to the versions of the files; may be given several times
  --dry-run              push, pull: only print what would happen; push refuses what it would refuse without
  --overwrite            push: publish the files over edits; pull: write edits over files that changed too
  --ignore-history       push: even if newer commits may have been published already
  --all                  pull: also write prompts that have no file
  --exit-code            diff: exit with 8 if there are differences, with 9 if something was edited in the service

Examples: cuevault diff prompts --exit-code
          cuevault push prompts --label staging
`;

export const IMPORT_HELP = `cuevault import langfuse --from URL [options]
cuevault import openlit FILE [options]

Takes over prompts with all their published versions, and with their labels. First prints what would be written; --write
writes it. Version N of Langfuse becomes N.0.0. A prompt that does not fit is named and skipped. Nothing is ever replaced:
running it again adds what is missing. The API key needs the permission to publish, and must be allowed to move the labels.

  --from URL             address of Langfuse; LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY are keys of the project
  --write                write what the run without it printed
  --move-labels          also move labels that point to another version here

FILE is an export of OpenLIT's database, one JSON object in each line; docs/how-to/from-openlit.md has the command.

Example: cuevault import langfuse --from https://cloud.langfuse.com --write
`;

export const TYPES_HELP = `cuevault types NAME[@VERSION|@LABEL]... [-o FILE]

Writes TypeScript types of the names, labels and variables of prompts, so that a wrong one fails in the editor.

  -o, --output FILE      where to write to (default: standard output)

Example: cuevault types greeting@production -o cuevault-prompts.d.ts
`;

export const WHOAMI_HELP = `cuevault whoami [options]

Prints the address of the service, what it knows of the API key or token (id, name, limits, expiry), the address from
which it was called, and by how much the clock of this machine is ahead. It is no use of the key.

  --json                 print it as JSON
`;
