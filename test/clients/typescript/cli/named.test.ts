import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { DESCRIPTIONS, helpOf } from '../../../../clients/typescript/src/cli/help.ts';
import { main } from '../../../../clients/typescript/src/cli/main.ts';
import { OPTIONS } from '../../../../clients/typescript/src/cli/options.ts';

/** Everything that names the command line to people. */
const PAGES = globSync([
  '{README,SECURITY}.md',
  'docs/**/*.md',
  'clients/*/README.md',
  'admin-ui/src/**/*.{ts,tsx}',
  'action{.yml,/main.mjs}',
  'clients/typescript/src/**/*.ts',
  'lambdas/**/*.ts',
  'contract/documentation/*.ts',
]);

const COMMAND =
  /(?<=[`"]|npx |\.bin\/|^|\$\()cuevault (?!audit|in place)(?<command>[a-z]+)\b(?<rest>(?:(?! -- | --$|[`"#|>&…]|\\n| 2>).)*)/gm;
// The names of a downloaded file, and of a process, are none.
const OPTION = /(?<=\s)(--[a-z][\w-]*|-o)(?==|\b)/g;
const namedIn = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(COMMAND)].map(({ groups: { command = '', rest = '' } = {} }) => ({
    file,
    command,
    options: [...rest.matchAll(OPTION)].map(([option]) => option),
  }));

/** Runs the command up to its help: all of its options are read before. */
const tried = async (command: string, options: readonly string[]) => {
  const said: string[] = [];
  const say = (text: string) => {
    said.push(text);
  };
  const words = options.map((option) => {
    const name = option === '-o' ? 'output' : option.slice(2);
    const known = Object.entries(OPTIONS).find(([each]) => each === name)?.[1];
    return known?.type === 'string' ? `--${name}=x` : option;
  });
  const code = await main([command, ...words, '--help'], { out: say, err: say, raw: say, isTTY: false });
  return { code, said: code === 0 ? '' : said.join('') };
};

test('every command and option that documents, screens, messages and helps name exists', async () => {
  const named = PAGES.flatMap(namedIn);
  expect(named.length).toBeGreaterThan(40);
  const runs = named.map(async (line) => ({ ...line, ...(await tried(line.command, line.options)) }));
  expect((await Promise.all(runs)).filter(({ code }) => code !== 0)).toEqual([]);
});

test('every option that a help lists is one that the command takes', async () => {
  for (const [name, { options }] of Object.entries(DESCRIPTIONS)) {
    const listed = Object.keys(options).map((option) => `--${option}`);
    expect({ name, ...(await tried(name, listed)) }).toEqual({ name, code: 0, said: '' });
    const help = helpOf(name as keyof typeof DESCRIPTIONS);
    expect(listed.filter((option) => !help.includes(`${option}`))).toEqual([]);
    expect(help.split('\n').filter((line) => line.length > 120)).toEqual([]);
  }
  const used = new Set(Object.values(DESCRIPTIONS).flatMap(({ options }) => Object.keys(options)));
  expect(Object.keys(OPTIONS).filter((option) => !used.has(option))).toEqual(['help']);
});

/** The commands that print the messages of a module. */
const COMMANDS_OF: { readonly [file: string]: readonly (keyof typeof DESCRIPTIONS)[] } = {
  'run.ts': ['run'],
  'child.ts': ['run'],
  'injection.ts': ['run'],
  'source.ts': ['run', 'env'],
  'env.ts': ['env'],
  'prompt.ts': ['prompt'],
  'exit-codes.ts': ['prompt'],
  'commands.ts': ['push', 'pull'],
  'repository.ts': ['push'],
  'import.ts': ['import'],
  'langfuse.ts': ['import'],
};

test('every option that a message advises is one of the command that prints it', () => {
  const ADVICE = /(?:[.;:,] |\(|\badd |\bor |\bof )--([a-z][a-z-]+)(?= |\)|`|'|[.:;,])/g;
  const advised = globSync('clients/typescript/src/cli/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(ADVICE)].map(([, option = '']) => ({
      file: basename(file),
      option,
    })),
  );
  const strange = advised.filter(({ file, option }) =>
    (COMMANDS_OF[file] ?? []).every((name) => !Object.hasOwn(DESCRIPTIONS[name].options, option)),
  );
  expect(advised.length).toBeGreaterThan(8);
  // For git, and in help texts, which the other tests read.
  expect(strange.filter(({ file, option }) => file !== 'help.ts' && option !== 'unshallow')).toEqual([]);
});
