// The output and exit codes of every client's command line.
import { readFileSync } from 'node:fs';

/** One run of `cuevault`, in a folder with `FILES`, against a service with the samples. */
export interface CommandRun {
  readonly title: string;
  /** Words, as they are or separated by blanks. */
  readonly args?: string | readonly string[];
  /** Variables whose values the command, a shell, prints. */
  readonly prints?: readonly string[];
  /** A line for a shell, with the command line as "$@". */
  readonly shell?: string;
  /** Variables on top; undefined removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The exit code, or the signal that ends it. @default 0 */
  readonly code?: number | NodeJS.Signals;
  /** The whole output, or a part of it. */
  readonly out?: string | RegExp;
  readonly err?: string | RegExp;
  /** Only the npm package has the command or the option. */
  readonly npmOnly?: true;
}

const titled = (runs: Readonly<Record<string, Omit<CommandRun, 'title'>>>): readonly CommandRun[] =>
  Object.entries(runs).map(([title, run]) => ({ title, ...run }));

/** An address where nothing answers. */
const NOWHERE = { CUEVAULT_URL: 'http://127.0.0.1:9' };

/** The files of the folder, in Latin-1, beside `key` with the API key. */
export const FILES = {
  '.env.example':
    '# Needed\nexport OPENAI_API_KEY=\nDATABASE_URL = x\nINHERITED=\nEMPTY=1\n# NONE=\n  MISSING=\n',
  '.env.own':
    '\xef\xbb\xbfDATABASE_URL=mine # first\nKEY="-----BEGIN KEY-----\nabc=\n-----END KEY-----"\nINHERITED=x\n',
  '.env.utf-16': '\xff\xfeA\0=\0',
  '.env.wrong': '/*\nA=#S3cret\n',
  plain: 'echo "$OPENAI_API_KEY $1"; exit 7\n',
  crlf: '#!/bin/sh\r\necho started\r\n',
  lost: '#!/no/such/interpreter\n',
  loop: '#!./loop\n',
  unloadable: readFileSync('/bin/true', 'latin1').replace('/lib', '/no/'),
  'for-it': '#!./unloadable\n',
};

const SECRET = 'sk-sample-not-a-real-key';
const DATABASE = 'postgres://app:sample@localhost:5432/app';
const PIECES =
  'printf "in "; printf "$OPENAI_API_KEY" | head -c 9; sleep 0.05; printf "$OPENAI_API_KEY" | tail -c +10; echo; ' +
  'echo "err $OPENAI_API_KEY" >&2; exit 7';
const NAMED = 'mkdir -p named; cd named; printf "# needed\\n\\n DATABASE_URL # main\\n" > cuevault.names;';

const USAGE = titled({
  'a missing API key names the variable to set': {
    args: 'run -- true',
    env: { CUEVAULT_API_KEY: undefined },
    code: 2,
    err: 'cuevault: The API key is missing: set CUEVAULT_API_KEY, or CUEVAULT_API_KEY_FILE to a file that contains it.\n',
  },
  'an unreadable API key file is reported by its variable': {
    args: 'run -- true',
    env: { CUEVAULT_API_KEY: undefined, CUEVAULT_API_KEY_FILE: 'none' },
    code: 2,
    err: 'cuevault: The file of CUEVAULT_API_KEY_FILE cannot be read (ENOENT).\n',
  },
  'a command without -- is shown with it': {
    args: 'run echo hi',
    code: 2,
    err: 'cuevault: Put "--" before the command: cuevault run -- echo hi\n',
  },
  'options of a command without -- are those of the command': {
    args: 'run node -v',
    code: 2,
    err: 'cuevault: Put "--" before the command: cuevault run -- node -v\n',
  },
  'an address without https:// is named': {
    args: 'run -- true',
    env: { CUEVAULT_URL: 'vault.example.com:443' },
    code: 2,
    err: 'cuevault: The address of Cuevault (url, or CUEVAULT_URL) must begin with https://, or http:// on this machine, such as http://localhost:3000.\n',
  },
  'http:// to another machine is rejected, naming the variable that allows it': {
    args: 'run -- true',
    env: { CUEVAULT_URL: 'http://vault.example' },
    code: 2,
    err: /travel unencrypted\. Use https:\/\/, or set CUEVAULT_ALLOW_INSECURE_HTTP=1\.\n$/,
  },
});

const WRONG = [
  'walk',
  'constructor',
  'run',
  'run --',
  'run node',
  'run --nonsense -- true',
  'run --override= -- true',
  ...['0', 'Infinity', 'often'].map((text) => `run --watch-interval ${text} -- true`),
  ...['0', '-1', ''].map((text) => `run --offline-max-age=${text} -- true`),
  'env --format xml',
  'env more',
  'env -- node',
  'env --re',
  'env --tags --json',
  ...[
    '--offline-ok --offline-dir=',
    ...['', ',', 'a, ,b', 'a,'].map((text) => `--tags=${text}`),
    '--key=',
  ].map((options) => `run ${options} -- true`),
  'run --prefix A= -- true',
  'run --only A= -- true',
  'prompt get',
  'prompt put x',
  'prompt get x --var novalue',
  'prompt get x -- more',
  'prompt get x -o file',
  'prompt snapshot x',
  'types',
  'completion bash',
  'push',
];

const HELP: readonly CommandRun[] = [
  { title: 'the version', args: '--version', out: /^\d+\.\d+\.\d+\n$/ },
  {
    title: 'help lists the exit codes',
    args: '--help',
    out: /^(.{0,120}\n)*exit codes: 0 done(.{0,120}\n)*$/i,
  },
  ...['run --help', 'run -h', 'env -h', 'prompt --help'].map((args) => ({
    title: `help of a command: ${args}`,
    args,
    out: /^(usage: )?cuevault .+\n(.{0,120}\n)+$/,
  })),
  { title: 'no command is wrong usage', code: 2, err: /^cuevault: / },
  ...WRONG.map((args) => ({
    title: `"${args}" is wrong usage: one line and exit code 2`,
    args,
    env: NOWHERE,
    code: 2,
    err: /^cuevault: .+\n$/,
  })),
];

const STREAMS: readonly CommandRun[] = [
  ...['env', '--help', 'run --help', '--version'].map((line) => ({
    title: `an output that cannot be written is one line and no success: ${line}`,
    shell: `"$@" ${line} > /dev/full`,
    code: 1,
    err: /^cuevault: The output cannot be written \(.+\)\.\n$/,
  })),
  { title: 'without standard error, warnings go nowhere else', shell: '"$@" run node 2>&-', code: 2 },
];

const FETCHING = titled({
  'a terminal shows values only on request, and they are not fetched before': {
    shell: 'unset CUEVAULT_API_KEY; script --quiet --return --command "$* env" /dev/null',
    code: 2,
    out: /^cuevault: .*--reveal.*\r\n$/,
  },
  'a terminal shows values on request': {
    shell: 'script --quiet --return --command "$* env --key OPENAI_API_KEY --reveal" /dev/null',
    out: `OPENAI_API_KEY=${SECRET}\r\n`,
  },
  'output is UTF-8, whatever the locale': {
    args: 'env --key OPENAI_API_KEY --prefix é_😀_ --json',
    env: { LC_ALL: 'C' },
    out: `{\n  "é_😀_OPENAI_API_KEY": "${SECRET}"\n}\n`,
  },
  'the API key can come from a file; with --key nothing else is read, and a prefix is added': {
    args: 'run --key OPENAI_API_KEY --prefix APP_',
    prints: ['APP_OPENAI_API_KEY', 'APP_DATABASE_URL'],
    env: { CUEVAULT_API_KEY: undefined, CUEVAULT_API_KEY_FILE: 'key' },
    out: `${SECRET} \n`,
  },
  'a prefix is added to every name': {
    args: 'env --key OPENAI_API_KEY --prefix APP_ --format=shell',
    out: `export APP_OPENAI_API_KEY='${SECRET}'\n`,
  },
  'all missing keys are listed, in the order asked for': {
    args: 'run --key E --key A --key OPENAI_API_KEY --key D --key A --key B --key C -- echo started',
    code: 4,
    err: 'cuevault: There is no secret "E", "A", "D", "B", "C".\n',
  },
  'names can be printed without values': { args: 'env --names --tags llm', out: 'OPENAI_API_KEY\n' },
  'names can be printed as JSON': {
    args: 'env --names --json --tags llm',
    out: '[\n  "OPENAI_API_KEY"\n]\n',
  },
  'every name that a format cannot express is listed': {
    args: ['env', '--format', 'shell', '--prefix', '1 '],
    code: 6,
    err: /"1 DATABASE_URL" \(.+\).*"1 OPENAI_API_KEY" \(|"1 OPENAI_API_KEY" \(.+\).*"1 DATABASE_URL" \(/,
  },
  'a folder that others can write to holds no offline copies': {
    args: 'run --offline-ok --offline-dir /tmp -- echo started',
    code: 2,
    err: /^cuevault: The folder of offline copies, "\/tmp", must belong to the user .+\n$/,
  },
  'offline needs a copy': {
    args: 'run --offline --offline-dir copies -- echo started',
    env: NOWHERE,
    code: 5,
    err: 'cuevault: There is no recent offline copy of these secrets.\n',
  },
});

const RUNNING = titled({
  'the command inherits the environment, the API key included; an empty variable is replaced': {
    args: 'run',
    prints: ['OPENAI_API_KEY', 'KEPT', 'CUEVAULT_API_KEY_FILE'],
    env: { KEPT: 'kept', OPENAI_API_KEY: '', CUEVAULT_API_KEY_FILE: 'file' },
    out: `${SECRET} kept file\n`,
  },
  'the API key can be withheld': {
    args: 'run --without-api-key',
    prints: ['CUEVAULT_API_KEY', 'CUEVAULT_API_KEY_FILE', 'KEPT'],
    env: { KEPT: 'kept', CUEVAULT_API_KEY_FILE: 'file' },
    out: '  kept\n',
  },
  'inherited variables win, dangerous names are not set, and one line names both': {
    args: 'run --prefix GIT_CONFIG_',
    prints: ['GIT_CONFIG_OPENAI_API_KEY', 'GIT_CONFIG_DATABASE_URL'],
    env: { GIT_CONFIG_DATABASE_URL: 'mine' },
    out: ' mine\n',
    err: /^cuevault: Not set: "GIT_[A-Z_]+" \(the name can change what programs do\), "GIT_[A-Z_]+" \(.+\)\.\n$/,
  },
  'a line names what is kept as inherited': {
    args: 'run',
    prints: ['OPENAI_API_KEY', 'DATABASE_URL'],
    env: { OPENAI_API_KEY: 'mine' },
    out: `mine ${DATABASE}\n`,
    err: 'cuevault: Kept as inherited: "OPENAI_API_KEY" (--override replaces them).\n',
  },
  '--override replaces the inherited variables that it names; --allow sets dangerous names': {
    args: [
      'run',
      '--override=GIT_CONFIG_A,GIT_CONFIG_OPENAI_API_KEY',
      '--prefix',
      'GIT_CONFIG_',
      '--allow',
      'GIT_CONFIG_OPENAI_API_KEY,GIT_CONFIG_DATABASE_URL',
    ],
    prints: ['GIT_CONFIG_OPENAI_API_KEY', 'GIT_CONFIG_DATABASE_URL'],
    env: { GIT_CONFIG_OPENAI_API_KEY: 'old', GIT_CONFIG_DATABASE_URL: 'mine' },
    out: `${SECRET} mine\n`,
    err: 'cuevault: Kept as inherited: "GIT_CONFIG_DATABASE_URL" (--override replaces them).\n',
  },
  '--override without names replaces all': {
    args: 'run --override',
    prints: ['OPENAI_API_KEY', 'DATABASE_URL'],
    env: { OPENAI_API_KEY: 'old', DATABASE_URL: 'old' },
    out: `${SECRET} ${DATABASE}\n`,
  },
  'a file cuevault.names lists the only names that run sets': {
    shell: `${NAMED} "$@" run -- sh -c 'echo "$OPENAI_API_KEY $DATABASE_URL"'`,
    out: ` ${DATABASE}\n`,
    err: 'cuevault: Not set, as they are not in cuevault.names: "OPENAI_API_KEY".\n',
  },
  'a file cuevault.names that cannot be read starts nothing': {
    shell: 'mkdir -p broken/cuevault.names; cd broken; "$@" run -- echo started',
    code: 2,
    err: /^cuevault: The file cuevault\.names cannot be read \(.+\)\.\n$/,
  },
  'env prints no dangerous name, in no format, unless it is allowed': {
    shell: `for form in dotenv json shell; do "$@" env --format $form --prefix LD_; done;
      "$@" env --names --prefix LD_ --allow LD_DATABASE_URL`,
    out: '{}\nLD_DATABASE_URL\n',
    err: /^(cuevault: Not set: ("LD_[A-Z_]+" \(the name can change what programs do\)(, )?)+\.\n){4}$/,
  },
  '--strict starts nothing if a secret would not be set': {
    args: 'run --strict -- echo started',
    env: { OPENAI_API_KEY: 'mine' },
    code: 6,
    err: 'cuevault: Kept as inherited: "OPENAI_API_KEY" (--override replaces them).\n',
  },
  '--strict starts nothing if a name is dangerous': {
    args: 'run --prefix LD_ --strict -- echo started',
    code: 6,
    err: /^cuevault: Not set: "LD_.+\n$/,
  },
  '--only sets nothing else, --optional what it finds, both under other names': {
    args: 'run --only DATABASE_URL,DB=DATABASE_URL --optional OTHER,THIRD=OTHER',
    prints: ['OPENAI_API_KEY', 'DATABASE_URL', 'DB', 'OTHER', 'THIRD'],
    out: ` ${DATABASE} ${DATABASE}  \n`,
  },
  '--only needs each of its secrets: nothing is started': {
    args: 'run --only DATABASE_URL,OTHER,A=B --allow-empty -- echo started',
    code: 4,
    err: 'cuevault: There is no secret "OTHER", "B" that this API key may read; --optional accepts this.\n',
  },
  'a prefix is taken from names, before one is added': {
    args: 'run --strip-prefix DATABASE_ --prefix MY_ --only MY_URL',
    prints: ['MY_URL'],
    out: `${DATABASE}\n`,
  },
  'env writes its file completely, for its user alone, in place of one that others can read': {
    shell:
      'umask 0; echo old > made; "$@" env --key DATABASE_URL -o made; ls -l made | cut -c 1-10; cat made',
    out: `-rw-------\nDATABASE_URL=${DATABASE}\n`,
  },
  'types are for all who may read new files, and keep the mode of an older file': {
    shell: `cd "$(mktemp -d modes.XXXXXX)"; umask 022; touch old; chmod 640 old
      "$@" types greeting -o types; "$@" types greeting -o old; stat -c %a types old; ls | wc -l`,
    out: '644\n640\n2\n',
  },
  'a file that cannot be written is named, and nothing is left': {
    shell: 'mkdir -p full; "$@" types greeting -o full/a/b; ls full',
    err: 'cuevault: "full/a/b" cannot be written (ENOENT).\n',
  },
  'no secret becomes a setting of Cuevault, even if all may be replaced and it is allowed': {
    args: 'run --key DATABASE_URL --prefix CUEVAULT_ --override --allow CUEVAULT_DATABASE_URL',
    prints: ['CUEVAULT_DATABASE_URL'],
    env: { CUEVAULT_DATABASE_URL: 'inherited' },
    out: 'inherited\n',
    err: 'cuevault: Not set: "CUEVAULT_DATABASE_URL" (a setting of Cuevault).\n',
  },
  'nothing found starts nothing': {
    args: 'run --tags prodution -- echo started',
    code: 4,
    err: 'cuevault: There are no secrets with the tags "prodution" that this API key may read; --allow-empty accepts this.\n',
  },
  'nothing found is accepted with --allow-empty': {
    args: 'run --optional OTHER --allow-empty -- echo started',
    out: 'started\n',
  },
  '--require names the variables that are missing or empty': {
    args: 'run --require .env.example -- echo started',
    env: { EMPTY: '', INHERITED: 'v' },
    code: 4,
    err: 'cuevault: These variables are missing or empty: "EMPTY", "MISSING".\n',
  },
  '--require reads a byte order mark, and no line of a value as a name': {
    args: 'run --require .env.own -- echo started',
    env: { DATABASE_URL: undefined },
    code: 4,
    err: 'cuevault: These variables are missing or empty: "KEY", "INHERITED".\n',
  },
  '--require refuses a file in another encoding': {
    args: 'run --require .env.utf-16 -- echo started',
    code: 2,
    err: 'cuevault: ".env.utf-16" cannot be read (it is no UTF-8).\n',
  },
  '--require refuses lines that it cannot read, without their content': {
    args: 'run --require .env.wrong -- echo started',
    code: 2,
    err: 'cuevault: ".env.wrong" cannot be read: line 1 is not of the form KEY=value; line 2 has a # at the beginning of its value or in a word: quote the value, or remove the comment.\n',
  },
  "--env-file has values of one's own, which win over secrets and lose to what is inherited": {
    args: 'run --env-file .env.example --env-file .env.own',
    prints: ['DATABASE_URL', 'KEY', 'INHERITED', 'OPENAI_API_KEY'],
    env: { INHERITED: 'v' },
    out: 'mine -----BEGIN KEY-----\nabc=\n-----END KEY----- v \n',
    err: 'cuevault: Kept as inherited: "INHERITED" (--override replaces them).\n',
  },
  'the command inherits no locale that the client has for itself': {
    shell: `unset LANG LC_ALL LC_CTYPE; "$@" run -- sh -c 'echo "$LC_CTYPE"'`,
    out: '\n',
  },
  '--require needs its file': {
    args: 'run --require none -- echo started',
    code: 2,
    err: 'cuevault: "none" cannot be read (ENOENT).\n',
  },
  '--redact masks the secrets in both outputs': {
    npmOnly: true,
    args: ['run', '--redact', '--', 'sh', '-c', PIECES],
    code: 7,
    out: 'in [secret]\n',
    err: 'err [secret]\n',
  },
  '--redact masks inherited values of the same names and the API key too': {
    npmOnly: true,
    args: 'run --redact',
    prints: ['OPENAI_API_KEY', 'CUEVAULT_API_KEY'],
    env: { OPENAI_API_KEY: 'inherited-value' },
    out: '[secret] [secret]\n',
    err: 'cuevault: Kept as inherited: "OPENAI_API_KEY" (--override replaces them).\n',
  },
  'the command takes the place of the client, ignores no signal, and nobody has the withheld key': {
    shell: `exec sh -c 'echo $$; exec "$@"' sh "$@" run --without-api-key -- sh -c 'echo $$
      grep SigIgn /proc/self/status; tr "\\0" "\\n" < /proc/$$/environ | grep -c ^CUEVAULT_API_KEY='`,
    code: 1,
    out: /^(\d+)\n\1\nSigIgn:\s0+\n0\n$/,
  },
  'a rejected API key starts nothing': {
    args: 'run -- echo started',
    env: { CUEVAULT_API_KEY: 'cue_wrong' },
    code: 3,
    err: /^cuevault: The API key or token was rejected: it is unknown, expired or revoked\. It was sent to http:\S+\.\n$/,
  },
  'without the service nothing is started': {
    args: 'run -- echo started',
    env: NOWHERE,
    code: 5,
    err: /^cuevault: Cuevault at http:\/\/127\.0\.0\.1:9 cannot be reached, or the connection was lost.*\n$/,
  },
  '--environment names the environment of the secrets, and of what the command inherits': {
    args: 'run --environment default',
    prints: ['CUEVAULT_ENVIRONMENT', 'DATABASE_URL'],
    env: { CUEVAULT_ENVIRONMENT: 'none' },
    out: `default ${DATABASE}\n`,
  },
  'CUEVAULT_ENVIRONMENT names it, and an unknown one is not found': {
    args: 'run -- echo started',
    env: { CUEVAULT_ENVIRONMENT: 'none' },
    code: 4,
    err: 'cuevault: There is no environment "none" that you may use. Check "environment".\n',
  },
});

const CANNOT_RUN = { code: 126, err: /^cuevault: The command .+ cannot be run.+\n$/ };

const ENDINGS: readonly ({ readonly command: readonly string[] } & Omit<CommandRun, 'title'>)[] = [
  { command: ['sh', '-c', 'exit 42'], code: 42 },
  { command: ['sh', '-c', 'kill -KILL $$'], code: 'SIGKILL' },
  { command: ['./plain', 'a b'], code: 7, out: `${SECRET} a b\n` },
  { command: ['./crlf'], ...CANNOT_RUN },
  ...['./no', ''].map((name) => ({
    command: [name],
    code: 127,
    err: `cuevault: There is no command ${name || '""'}.\n`,
  })),
];

const ENDING: readonly CommandRun[] = [
  ...ENDINGS.flatMap(({ command, ...ending }) => {
    const title = `ends as its command ends: ${command.join(' ')}`;
    const watch = { title: `run --watch ${title}`, args: ['run', '--watch', '--', ...command] };
    return [
      { title: `run ${title}`, args: ['run', '--', ...command], ...ending },
      { ...watch, npmOnly: true as const, ...ending },
    ];
  }),
  ...['/', './key', './lost', './loop', './unloadable', './for-it'].map((file) => ({
    title: `${file} cannot be run`,
    args: ['run', '--', file],
    ...CANNOT_RUN,
  })),
];

const PROMPTS = titled({
  'a template is printed byte for byte': {
    args: 'prompt get -- greeting',
    out: 'Hello {{user}}, welcome to {{ place }}.',
  },
  'a compiled text is printed byte for byte': {
    args: 'prompt get greeting --var user=a=b --var place=',
    out: 'Hello a=b, welcome to .',
  },
  'a missing variable is named with the options of the command line': {
    args: 'prompt get greeting --version latest --var user=Ada --strict',
    env: { CUEVAULT_LABEL: 'production' },
    code: 1,
    err: 'cuevault: The prompt needs a value for "place": add --var NAME=VALUE, or leave out --strict.\n',
  },
  'a prompt is printed with all its fields': {
    args: 'prompt get greeting --version 1.0.0 --var user=Ada --json',
    out: /^\{\n {2}"promptId": "[^"]+",\n {2}"name": "greeting",\n {2}"version": "1\.0\.0",\n {2}"tags": \[\n {4}"sample"\n {2}\],\n {2}"metaProperties": [\s\S]+,\n {2}"prompt": "Hello \{\{user\}\}!",\n {2}"compiledPrompt": "Hello Ada!",\n {2}"source": "service"\n\}\n$/,
  },
  'a prompt that types cannot have is named, and nothing is printed': {
    args: 'types greeting nobody@production',
    code: 4,
    err: /^cuevault: "nobody@production": .+\n$/,
  },
});

const WHOAMI = titled({
  'whoami prints the service, the key, its limits and the clock': {
    args: 'whoami',
    out: /^url: http.+\nkeyId: \w{8}\nname: .+\npermissions: prompts, secrets\n[\s\S]+clockAheadSeconds: -?[\d.]+\n$/,
  },
  'whoami names a key that is refused': {
    args: 'whoami --json',
    env: { CUEVAULT_API_KEY: 'cue_Ab3dEf7h_wrong' },
    code: 3,
    err: /^cuevault: .+rejected.+\n$/,
  },
});

const NPM = /(?:^|"\$@" |\$\* )(?:env|prompt|types|whoami)\b/;

/** Whether only the npm package has a command of the run. */
const isOfNpm = ({ args, shell, code }: CommandRun): boolean =>
  shell === undefined ? code !== 2 && NPM.test([args].flat().join(' ')) : NPM.test(shell);

export const COMMANDS: readonly CommandRun[] = [
  ...HELP,
  ...USAGE,
  ...STREAMS,
  ...FETCHING,
  ...RUNNING,
  ...ENDING,
  ...PROMPTS,
  ...WHOAMI,
].map((run) => (isOfNpm(run) ? { ...run, npmOnly: true } : run));
