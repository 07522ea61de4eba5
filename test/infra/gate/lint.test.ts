import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '../../support/new-folder.ts';
import type { Json } from '../stack.ts';
import { allResources, allTemplates, fullStack, runPython, type TemplateJson } from './full.ts';

const folder = newFolder();

const stack = fullStack();
const templates = allTemplates(stack);

// The schemas of the registry that a region has, by resource type; lib/settings.ts refuses the other partitions.
const SCHEMAS_BY_REGION = `
import glob, importlib.util, json, os, re, sys
package = os.path.dirname(importlib.util.find_spec('cfnlint').origin)
files = glob.glob(os.path.join(package, 'data/schemas/providers/*-*.json'))
regions = {os.path.basename(file)[:-5]: json.load(open(file)) for file in files}
others = re.compile('cn-|us-gov-|us-iso|eu-iso|eusc-')
print(json.dumps({r: {t: s.get(t) for t in sys.argv[1:]} for r, s in regions.items() if not others.match(r)}))
`;

const types = [...new Set(Object.values(allResources(stack)).map(({ Type }) => Type))].filter((type) =>
  type.startsWith('AWS::'),
);
const schemas = runPython('python', '-c', SCHEMAS_BY_REGION, ...types) as Record<string, Json>;

/** The setting "webhook" is not for every region. */
const OF_WEBHOOK = ['AWS::Events::Connection', 'AWS::Events::ApiDestination'];

/** Types that AWS documents and this version of cfn-lint knows in no region. */
const NEWER = [
  'AWS::Cognito::UserPoolSessionConfigurationAttachment',
  'AWS::Cognito::UserPoolClientSessionConfigurationAttachment',
];
const known = types.filter((type) => !NEWER.includes(type));

/** One region of each group that has the same schemas, of those with every type. */
const representatives = (): string[] => {
  const complete = Object.entries(schemas).filter(([, schema]) =>
    known.every((type) => schema[type] !== null),
  );
  return [...new Map(complete.map(([region, schema]) => [JSON.stringify(schema), region])).values()];
};

/** The template with the first of the resources that differ only in whom they refer to and in their texts. */
const distinct = (template: TemplateJson): TemplateJson => {
  const firsts = new Map<string, string>();
  const others = new Map<string, string>();
  for (const [id, resource] of Object.entries(template.Resources)) {
    const alike = JSON.stringify(resource, (name, value) => {
      if (name === 'Variables') return Object.keys(value);
      return ['DependsOn', 'Description', 'Metadata'].includes(name) ? undefined : value;
    });
    const first = firsts.get(alike);
    if (first === undefined) firsts.set(alike, id);
    else others.set(id, first);
  }
  if (others.size === 0) return template;
  const Resources = Object.fromEntries(Object.entries(template.Resources).filter(([id]) => !others.has(id)));
  const referring = JSON.stringify({ ...template, Resources }).replaceAll(/"(\w+)"/g, (quoted, id) =>
    others.has(id) ? `"${others.get(id)}"` : quoted,
  );
  return distinct(JSON.parse(referring));
};

const BROKEN = { Resources: { Key: { Type: 'AWS::KMS::Key', Properties: { Speck: 'SYMMETRIC_DEFAULT' } } } };

/** The findings of cfn-lint in each of these templates, warnings included. Half of its time is its start. */
const lint = (...checked: readonly unknown[]): readonly string[][] => {
  const files = checked.map((_, index) => path.join(folder, `${index}.json`));
  for (const [index, file] of files.entries()) writeFileSync(file, JSON.stringify(checked[index]));
  // CDK lists in DependsOn also what the properties refer to.
  const options = ['--format', 'json', '--ignore-checks', 'W3005', '--regions', ...representatives()];
  const findings = runPython('cfn-lint', ...options, '--template', ...files) as Json[];
  const known = findings.filter(
    ({ Rule, Message }) => Rule.Id !== 'E3006' || !NEWER.some((type) => Message.includes(`'${type}'`)),
  );
  return files.map((file) =>
    known.filter(({ Filename }) => Filename === file).map(({ Rule, Message }) => `${Rule.Id} ${Message}`),
  );
};

test('every commercial region has every type of resource, except those of the webhook', () => {
  expect(Object.keys(schemas).length).toBeGreaterThan(25);
  const missing = Object.entries(schemas).flatMap(([region, schema]) =>
    known
      .filter((type) => schema[type] === null && !OF_WEBHOOK.includes(type))
      .map((type) => `${region} lacks ${type}`),
  );
  expect(missing).toEqual([]);
  // A version that knows them checks them.
  expect(Object.values(schemas).flatMap((schema) => NEWER.filter((type) => schema[type] !== null))).toEqual(
    [],
  );
});

test('the documentation names the regions that cannot have a webhook', () => {
  const without = Object.entries(schemas).flatMap(([region, schema]) =>
    OF_WEBHOOK.some((type) => schema[type] === null) ? [`\`${region}\``] : [],
  );
  const text = readFileSync('docs/events/README.md', 'utf8');
  const [, sentence = ''] = /have no such webhook: ([^.]*)\./.exec(text) ?? [];
  expect(sentence.match(/`[\w-]+`/g)?.sort()).toEqual(without.sort());
});

test('cfn-lint finds nothing in the templates in any region, and a property that a resource does not have', () => {
  const findings = lint(...templates.map(distinct), BROKEN);
  expect(findings.slice(0, -1)).toEqual(templates.map(() => []));
  expect(findings.at(-1)?.join('\n')).toMatch(/E3002 .*Speck/);
}, 300_000);
