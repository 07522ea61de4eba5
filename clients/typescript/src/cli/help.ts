/** The first screen: `cuevault --help`. */
export const HELP = `cuevault: secrets and prompts from your Cuevault service

  cuevault run [options] -- COMMAND [ARGUMENT...]   run a command with secrets in its environment
  cuevault env [options]                            print secrets as dotenv, JSON or for a shell
  cuevault prompt get NAME [options]                print a prompt
  cuevault COMMAND --help                           more about one of them
  cuevault --version

The address comes from CUEVAULT_URL (else http://localhost:3000), the API key from CUEVAULT_API_KEY.

Exit codes: 0 done; 1 anything else; 2 wrong usage; 3 the API key was refused; 4 not found; 5 the service cannot be
reached or cannot answer; 6 the secrets cannot be set, or not printed in this form; 126 the command cannot be run;
127 there is no such command. "run" ends as its command ends.
`;

const FILTER = `  --key KEY              only this secret
  --tags A,B             only secrets that carry all of these tags
  --prefix P             put P before the name of every variable
`;

const OFFLINE = `  --offline-ok           keep an encrypted copy, and use it when the service cannot answer
  --offline-dir DIR      where the copy lies (default: cuevault in the user's cache folder)
  --offline-max-age H    hours after which the copy is of no use any more (default: 24)
`;

export const RUN_HELP = `cuevault run [options] -- COMMAND [ARGUMENT...]

Fetches secrets, sets them as environment variables, and becomes the command. Nothing is started unless every secret
could be fetched and set. A secret replaces a variable of the same name.

${FILTER}  --allow-dangerous-names  set also names that change how programs load code, such as PATH
  --watch                restart the command when a value changes
  --watch-interval S     seconds between two looks (default: 60); each look is a read in the audit log
${OFFLINE}
A restart and signals reach all that the command has started; at a terminal only the command itself. So a wrapper script
should end with "exec PROGRAM".

Example: cuevault run --tags production -- node server.js
`;

export const ENV_HELP = `cuevault env [options]

Prints secrets. To a terminal only with --reveal.

  --format FORM          dotenv (default), json or shell
  --reveal               print values even to a terminal
${FILTER}${OFFLINE}
Examples: cuevault env > .env
          eval "$(cuevault env --format shell)"
`;

export const PROMPT_HELP = `cuevault prompt get NAME [options]

Prints the template, or the compiled text if there are variables.

  --version V            MAJOR.MINOR.PATCH; the latest when left out
  --label L              the version that this label points to
  --var NAME=VALUE       a value for a placeholder; may be given many times
  --strict               fail if a placeholder has no value

Example: cuevault prompt get greeting --var user=Ada
`;
