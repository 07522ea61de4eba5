import type { PromptMessage } from '@modelcontextprotocol/sdk/types.js';
import { isInstruction } from '../../../../../contract/content/content.ts';
import { isPlaceholder } from '../../../../../contract/content/templates.ts';
import { declared } from '../../../../../contract/content/variables.ts';
import { Cuevault } from '../../client.ts';
import { CuevaultError } from '../../errors.ts';
import type { Prompt } from '../../prompts/prompt.ts';
import { labelVariable } from '../../settings.ts';
import { VERSION } from '../../version.ts';
import { quoted } from '../../wire.ts';
import { CliError, EXIT, wrongUsage } from '../exit-codes.ts';
import type { Call } from '../options.ts';
import { connect } from './service.ts';

const SDK = '@modelcontextprotocol/sdk';

/** The SDK, which is not a dependency. Errors: CliError `usage` without it. */
const loadSdk = async () => {
  try {
    const [server, stdio, types] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ]);
    return { ...server, ...stdio, ...types };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw wrongUsage(`"cuevault mcp" needs the package ${SDK}: npm install ${SDK}`);
  }
};

/** The value that a text means for a variable. Errors: CliError `usage` if it is none of the declared type. */
const typedValue = (name: string, text: string, { declarations }: Prompt): unknown => {
  const type = declared(declarations, name)?.type ?? 'string';
  if (type === 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    throw wrongUsage(`The argument ${quoted([name])} must be the JSON of its type, ${type}.`);
  }
};

/** What the protocol cannot say of a prompt, with how many of each there are. */
const leftOut = ({ messages = [], tools, model, output, config }: Prompt): string[] =>
  Object.entries({
    'lists of messages': messages.filter(isPlaceholder).length,
    tools: tools.length,
    'fields of the configuration': Object.keys(config).length + Number(model !== undefined),
    'schemas of the output': Number(output !== undefined),
  }).flatMap(([what, count]) => (count === 0 ? [] : [`${what}: ${count}`]));

/** The prompt as the protocol has it. Errors: CliError `usage` for an argument; those of the client. */
const compiledFor = (prompt: Prompt, given: Readonly<Record<string, string>>) => {
  const variables = Object.fromEntries(
    Object.entries(given).map(([name, text]) => [name, typedValue(name, text, prompt)]),
  );
  const lists = (prompt.messages ?? []).filter(isPlaceholder).map(({ name }) => [name, []] as const);
  const placeholders = Object.fromEntries(lists);
  const compiled = prompt.compileMessages(variables, { strict: true, placeholders }) ?? [
    { role: 'user', content: prompt.compile(variables, { strict: true }) },
  ];
  const texts = compiled.flatMap((each) =>
    typeof each.content === 'string' ? [{ role: String(each.role), content: each.content }] : [],
  );
  const messages = [...texts.filter(isInstruction), ...texts.filter((each) => !isInstruction(each))].map(
    ({ role, content }): PromptMessage => ({
      role: role === 'assistant' ? role : 'user',
      content: { type: 'text', text: content },
    }),
  );
  const out = leftOut(prompt);
  const notes = [
    `Version ${prompt.version}.`,
    ...(texts.some(isInstruction) ? ['Its system message is the first message of the user.'] : []),
    ...(out.length > 0 ? [`Left out: ${out.join(', ')}.`] : []),
  ];
  return { description: notes.join(' '), messages };
};

/** `cuevault mcp`: serves the prompts of a label until the host closes standard input. Returns the exit code. */
export const mcpCommand = async ({ values }: Call): Promise<number> => {
  const label = values.label?.at(-1) ?? labelVariable();
  if (label === undefined) throw wrongUsage('Add --label, such as --label production.');
  const sdk = await loadSdk();
  const service = connect();
  const { prompts } = new Cuevault();
  const server = new sdk.Server({ name: 'cuevault', version: VERSION }, { capabilities: { prompts: {} } });
  const refused = (error: unknown) => {
    if (!(error instanceof CuevaultError || error instanceof CliError)) return error;
    return new sdk.McpError(sdk.ErrorCode.InvalidParams, error.message);
  };
  const answering =
    <Request, Result>(answer: (request: Request) => Promise<Result>) =>
    async (request: Request): Promise<Result> => {
      try {
        return await answer(request);
      } catch (error) {
        throw refused(error);
      }
    };
  server.setRequestHandler(
    sdk.ListPromptsRequestSchema,
    answering(async () => ({
      prompts: (await service.list(label)).flatMap(({ name, labelled }) =>
        labelled === undefined
          ? []
          : {
              name,
              description: `Version ${labelled.version}. ${labelled.note}`.trim(),
              arguments: labelled.variables.map(({ name: argument, type, description, required }) => ({
                name: argument,
                description: [description, type && `(${type})`].filter(Boolean).join(' '),
                required,
              })),
            },
      ),
    })),
  );
  server.setRequestHandler(
    sdk.GetPromptRequestSchema,
    answering(
      async ({ params }: { params: { name: string; arguments?: Record<string, string> | undefined } }) =>
        compiledFor(await prompts.get(params.name, { label }), params.arguments ?? {}),
    ),
  );
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once('end', () => resolve());
  });
  await server.connect(new sdk.StdioServerTransport());
  await closed;
  return EXIT.done;
};
