import { Template } from 'aws-cdk-lib/assertions';
import { readTemplate, resolver } from '../permissions/resolved.ts';
import { Synthesized, synthesize } from '../stack.ts';

const stack = synthesize();

test.each([
  { Ref: 'Absent' },
  { 'Fn::GetAtt': ['Absent', 'Arn'] },
  { 'Fn::Select': [0, ['a']] },
  { 'Fn::Sub': `\${Absent}` },
])('the value %j, which cannot be resolved, is rejected and not guessed', (value) => {
  expect(() => resolver(stack)({ Resource: [value] })).toThrow();
});

test.each([
  { ManagedPolicyArns: ['arn:aws:iam::aws:policy/AdministratorAccess'] },
  { PermissionsBoundary: 'arn:aws:iam::000000000000:policy/Boundary' },
])('a role with %j is rejected, as it is not evaluated', (more) => {
  const [role] = stack.functionOf('vault-get-secrets').resource.Properties.Role['Fn::GetAtt'];
  const json = JSON.parse(JSON.stringify(stack.template.toJSON()));
  expect(() => readTemplate(new Synthesized(Template.fromJSON(json)))).not.toThrow();
  Object.assign(json.Resources[role].Properties, more);
  expect(() => readTemplate(new Synthesized(Template.fromJSON(json)))).toThrow(role);
});
