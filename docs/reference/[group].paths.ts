// The pages of the API reference, one for each group of paths, made from docs/openapi.json.
import { readFileSync } from 'node:fs';

/** What these pages read of a JSON Schema, a parameter, a body or a reply. */
interface Node {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly content?: Readonly<
    Record<string, { schema: Node; examples?: Record<string, { value: unknown }> }>
  >;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Node;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Node;
  readonly responses: Readonly<Record<string, Node>>;
}

const api = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));

const resolved = (node: Node): Node =>
  node.$ref === undefined
    ? node
    : resolved(
        node.$ref
          .slice(2)
          .split('/')
          .reduce((at, name) => at[name], api),
      );

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const typeOf = (schema: Node): string => {
  const node = resolved(schema);
  const choices = node.enum ?? (node.const === undefined ? undefined : [node.const]);
  if (choices !== undefined) return choices.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  const variants = node.anyOf ?? node.oneOf;
  if (variants !== undefined) return [...new Set(variants.map(typeOf))].join(' or ');
  if (node.items !== undefined) return `array of ${typeOf(node.items)}`;
  return [node.type ?? 'any value'].flat().join(' or ');
};

const row = (path: string, schema: Node, isRequired: boolean): string =>
  `| \`${path}\` | ${cell(typeOf(schema))} | ${isRequired ? 'yes' : ''} | ${cell(resolved(schema).description ?? '')} |`;

const rowsOf = (schema: Node, prefix = ''): string[] => {
  const node = resolved(schema);
  const inner = node.items === undefined ? node : resolved(node.items);
  return Object.entries(inner.properties ?? {}).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const isList = resolved(property).items !== undefined;
    return [
      row(path, property, inner.required?.includes(name) ?? false),
      ...rowsOf(property, `${path}${isList ? '[]' : ''}.`),
    ];
  });
};

const table = (title: string, rows: readonly string[]): string =>
  rows.length === 0
    ? ''
    : `**${title}**\n\n| field | type | required | meaning |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;

const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`;

const exampleOf = (body: Node | undefined): string => {
  const [example] = Object.values(body?.content?.['application/json']?.examples ?? {});
  return example === undefined ? '' : json(example.value);
};

const schemaOf = (body: Node | undefined): Node | undefined =>
  body === undefined ? undefined : resolved(body).content?.['application/json']?.schema;

const section = (method: string, path: string, operation: Operation): string => {
  const { operationId, summary, description = '', parameters = [], requestBody, responses } = operation;
  const body = schemaOf(requestBody);
  const reply = schemaOf(responses['200']);
  const result = reply === undefined ? undefined : (resolved(reply).properties?.res ?? reply);
  return [
    `## ${operationId}`,
    `\`${method.toUpperCase()} ${path}\``,
    summary,
    description === summary ? '' : description,
    table(
      'Parameters',
      parameters.map(({ name, required = false, schema }) => row(name, schema, required)),
    ),
    body === undefined ? '' : table('Body', rowsOf(body)),
    exampleOf(requestBody),
    result === undefined ? '' : table('Reply', rowsOf(result)),
    exampleOf(responses['200']),
    `Statuses: ${Object.keys(responses).join(', ')}. The codes are listed in [Errors](../errors.md).`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
};

// A page has the operations of one resource: the first segment of their paths.
const groupOf = (path: string): string => {
  const [, resource = ''] = /^\/api\/admin\/(?:deleted-|protected-)?([^/]+)/.exec(path) ?? [];
  return resource === '' ? 'applications' : `admin-${resource}`;
};

const pages = (): Map<string, string[]> => {
  const sections = new Map<string, string[]>();
  for (const [path, methods] of Object.entries<Record<string, Operation>>(api.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const group = groupOf(path);
      sections.set(group, [...(sections.get(group) ?? []), section(method, path, operation)]);
    }
  return sections;
};

const titleOf = (group: string): string =>
  group === 'applications' ? 'Calls of applications' : `Admin API: ${group.replace('admin-', '')}`;

/** Group and title of each page, in the order of the document. */
export const GROUPS = [...pages().keys()].map((group) => ({ group, title: titleOf(group) }));

export default {
  paths: () =>
    Array.from(pages(), ([group, sections]) => ({
      params: { group },
      // Without this, the site would evaluate placeholders.
      content: `# ${titleOf(group)}\n\n::: v-pre\n\n${sections.join('\n\n')}\n\n:::\n`,
    })),
};
